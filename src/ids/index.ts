/** Hovers, links and inlay hints for IDs, and the command that looks them up. */
import { type Disposable, languages, window } from 'vscode';
import { onDidChangeSettings, readSetting } from '../platform/configuration.ts';
import { defer, lazy, methodsOf } from '../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../platform/host.ts';

const EVERYWHERE = '*';

export function registerIds(host: ActivationHost): Disposable[] {
  const { commands, connection, mentionedIds } = host;
  const ids = lazy(async () => {
    const { IdsController } = await import('./idsController.ts');
    return new IdsController(await wholeHost(host), refreshLinks);
  });
  const documentLinks = methodsOf(async () => (await ids()).links, 'provideDocumentLinks');
  const hover = methodsOf(async () => (await ids()).hover, 'provideHover');
  const terminal = methodsOf(async () => (await ids()).terminal, 'provideTerminalLinks', 'handleTerminalLink');

  let links: Disposable | undefined;
  /** Registers the provider again, which makes VS Code ask it. The old registration ends last: links don't flicker. */
  const refreshLinks = () => {
    const before = links;
    links = languages.registerDocumentLinkProvider(EVERYWHERE, documentLinks);
    before?.dispose();
  };

  let hints: Promise<Disposable> | undefined;
  const showNames = async () => {
    const before = hints;
    hints =
      readSetting('ids.showNames') === true
        ? ids().then(({ hints }) => languages.registerInlayHintsProvider(EVERYWHERE, hints))
        : undefined;
    (await before)?.dispose();
  };

  return [
    defer(() => {
      refreshLinks();
      void showNames();
      return [
        languages.registerHoverProvider(EVERYWHERE, hover),
        window.registerTerminalLinkProvider(terminal),
        onDidChangeSettings(['ids.showNames'], () => void showNames()),
      ];
    }),
    {
      dispose: () => {
        links?.dispose();
        void hints?.then((registration) => registration.dispose());
      },
    },
    ids,
    connection.onDidChange(() => mentionedIds.clear()),
    mentionedIds.onDidChange(async () => (await ids.loaded)?.known.invalidate()),
    onDidChangeSettings(['groups', 'bots', 'people', 'audiences', 'hover.lookUp'], async () =>
      (await ids.loaded)?.known.invalidate(),
    ),
    ...commands.registerAll(async () => (await ids()).lookUp, 'lookUp'),
  ];
}
