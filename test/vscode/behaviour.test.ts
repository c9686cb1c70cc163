import { behavesAsVsCode } from '../unit/vscode-behaviour.ts';

describe('VS Code, as far as something stands in for it elsewhere', behavesAsVsCode);
