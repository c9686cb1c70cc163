import assert from 'node:assert/strict';
import { ExtensionKind, env, extensions, UIKind } from 'vscode';
import { storagePlace } from '../../../src/platform/storagePlace.ts';
import { inBrowser } from '../inBrowser.ts';

describe('Where things are kept', () => {
  const { getExtension } = extensions;
  afterEach(() => {
    Object.assign(env, { remoteName: undefined, uiKind: UIKind.Desktop });
    Object.assign(extensions, { getExtension });
  });

  const placeIn = (remoteName: string | undefined, kind: ExtensionKind, uiKind = UIKind.Desktop) => {
    Object.assign(env, { remoteName, uiKind });
    Object.assign(extensions, { getExtension: () => ({ extensionKind: kind }) });
    return storagePlace();
  };

  it('is this computer, even in a remote window, if the extension runs here', () => {
    for (const remoteName of [undefined, 'dev-container', 'ssh-remote', 'wsl']) {
      assert.equal(placeIn(remoteName, ExtensionKind.UI), 'here');
    }
  });

  it('is the remote computer or the container if it runs there', () => {
    assert.equal(placeIn('ssh-remote', ExtensionKind.Workspace), 'remote');
    for (const name of ['dev-container', 'attached-container', 'k8s-container'])
      assert.equal(placeIn(name, ExtensionKind.Workspace), 'container', name);
    assert.equal(placeIn('codespaces', ExtensionKind.Workspace, UIKind.Web), 'container');
    assert.equal(placeIn(undefined, ExtensionKind.Workspace, UIKind.Web), 'remote');
  });

  it('is the remote computer if VS Code says nothing of where the extension runs', () => {
    Object.assign(env, { remoteName: 'ssh-remote' });
    Object.assign(extensions, { getExtension: () => undefined });
    assert.equal(storagePlace(), 'remote');
  });

  it('is the browser without Node', () => inBrowser(async () => assert.equal(storagePlace(), 'browser')));
});
