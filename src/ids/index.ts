/** Registers hovers, links and inlay hints for IDs, and the command that looks them up. */
import { type Disposable, languages, window } from 'vscode';
import { defer, once } from '../platform/defer.ts';
import type { ActivationHost, Load } from '../platform/host.ts';
import type { IdTerminalLink } from './terminalLinks.ts';

const EVERYWHERE = '*';

type Lazy = Pick<typeof import('./idsController.ts'), 'IdsController'>;

export function registerIds(host: ActivationHost, load: Load<Lazy>): Disposable[] {
  const { commands, connection, mentionedIds, settings } = host;
  const controller = once(() =>
    load().then(({ IdsController, stored }) => new IdsController({ ...host, ...stored }, refreshLinks)),
  );

  const registerLinks = () =>
    languages.registerDocumentLinkProvider(EVERYWHERE, {
      provideDocumentLinks: async (document, token) => (await controller()).links.provideDocumentLinks(document, token),
    });
  let links: Disposable | undefined;
  /** Registering a provider makes VS Code ask again. The old one is removed last, so that links don't flicker. */
  const refreshLinks = () => {
    const before = links;
    links = registerLinks();
    before?.dispose();
  };

  let hints: Promise<Disposable> | undefined;
  const showNames = async () => {
    const before = hints;
    hints = settings.showsNames
      ? controller().then((ids) => languages.registerInlayHintsProvider(EVERYWHERE, ids.hints))
      : undefined;
    (await before)?.dispose();
  };

  return [
    defer(() => {
      links = registerLinks();
      void showNames();
      return [
        languages.registerHoverProvider(EVERYWHERE, {
          provideHover: async (...hovered) => (await controller()).hover.provideHover(...hovered),
        }),
        window.registerTerminalLinkProvider({
          provideTerminalLinks: async (context, token) =>
            (await controller()).terminal.provideTerminalLinks(context, token),
          handleTerminalLink: async (link: IdTerminalLink) => (await controller()).terminal.handleTerminalLink(link),
        }),
        settings.onDidChange(['ids.showNames'], () => void showNames()),
      ];
    }),
    {
      dispose: () => {
        links?.dispose();
        void hints?.then((registration) => registration.dispose());
        void controller.loaded?.then((ids) => ids.dispose());
      },
    },
    connection.onDidChange(() => mentionedIds.clear()),
    mentionedIds.onDidChange(async () => (await controller.loaded)?.known.invalidate()),
    settings.onDidChange(['groups', 'bots', 'people', 'audiences', 'hover.lookUp'], async () =>
      (await controller.loaded)?.known.invalidate(),
    ),
    commands.register('lookUp', async (resource) => (await controller()).lookUp.run(resource)),
  ];
}
