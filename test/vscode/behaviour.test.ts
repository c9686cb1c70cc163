import { behavesAsVsCode } from '../unit/vscode-behaviour.ts';

describe('The real VS Code, compared with its fake in unit tests', behavesAsVsCode);
