import { behavesAsVsCode } from './vscode-behaviour.ts';

describe('The vscode stub', behavesAsVsCode);
