import { behavesAsVsCode } from './vscode-behaviour.ts';
import { closeDocuments } from './vscode-editors.ts';

describe('The vscode stub', () => {
  afterEach(closeDocuments);
  behavesAsVsCode();
});
