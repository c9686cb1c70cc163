import { behavesAsVsCode } from '../unit/vscode-behaviour.ts';
import { closeEditors } from './editors.ts';

describe('The real VS Code, compared with its fake in unit tests', () => {
  afterEach(closeEditors);
  behavesAsVsCode();
});
