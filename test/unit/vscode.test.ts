import { behavesAsVsCode } from './vscode-behaviour.ts';

describe('What stands in for VS Code', behavesAsVsCode);
