/** IDs in documents and terminals, wired to VS Code. */
import { type Disposable, languages, window, workspace } from 'vscode';
import type { Register } from '../platform/commands.ts';
import { defer } from '../platform/defer.ts';
import { onDidChangeSettings } from '../platform/settings.ts';
import type { Kind, Reference } from '../service/model.ts';
import type { IdsController, LookupNeeds } from './idsController.ts';
import type { IdTerminalLink } from './terminalLinks.ts';

const EVERYWHERE = '*';
const NAMES = 'ids.showNames';

type Later = () => Promise<Pick<typeof import('./idsController.ts'), 'IdsController'>>;

/** How many IDs of histories are looked for in documents, and how long they may be: each makes that slower. */
const MOST_MET = 5_000;
const LONGEST_ID = 100;

export function registerLookup(needs: Omit<LookupNeeds, 'met' | 'askForLinks'>, register: Register, later: Later) {
  const met = new Map<string, Kind>();
  let loaded: Promise<IdsController> | undefined;
  const lookup = () => {
    loaded ??= later().then(({ IdsController }) => new IdsController({ ...needs, met, askForLinks }));
    return loaded;
  };

  const registerLinks = () =>
    languages.registerDocumentLinkProvider(EVERYWHERE, {
      provideDocumentLinks: async (document, token) => (await lookup()).links.provideDocumentLinks(document, token),
    });
  let links: Disposable | undefined;
  /** VS Code asks again when a provider has come. The one before goes after that, so that no link is gone meanwhile. */
  const askForLinks = () => {
    const before = links;
    links = registerLinks();
    before?.dispose();
  };

  let hints: Promise<Disposable> | undefined;
  const showNames = async () => {
    const before = hints;
    const isWanted = workspace.getConfiguration('botChats').get(NAMES) === true;
    hints = isWanted
      ? lookup().then((made) => languages.registerInlayHintsProvider(EVERYWHERE, made.hints))
      : undefined;
    (await before)?.dispose();
  };

  const disposables: Disposable[] = [
    defer(() => {
      links = registerLinks();
      void showNames();
      return [
        languages.registerHoverProvider(EVERYWHERE, {
          provideHover: async (...hovered) => (await lookup()).hover.provideHover(...hovered),
        }),
        window.registerTerminalLinkProvider({
          provideTerminalLinks: async (context, token) =>
            (await lookup()).terminal.provideTerminalLinks(context, token),
          handleTerminalLink: async (link: IdTerminalLink) => (await lookup()).terminal.handleTerminalLink(link),
        }),
        onDidChangeSettings([NAMES], () => void showNames()),
      ];
    }),
    {
      dispose: () => {
        links?.dispose();
        void hints?.then((made) => made.dispose());
        void loaded?.then((made) => made.dispose());
      },
    },
    needs.connection.onDidChange(() => met.clear()),
    onDidChangeSettings(['groups', 'bots', 'people', 'audiences', 'hover.lookUp'], async () =>
      (await loaded)?.known.forget(),
    ),
    register('lookUp', async (subject?: unknown) => (await lookup()).command.run(subject)),
  ];
  return {
    disposables,
    /** These were met in the history of a chat. */
    met: async (references: readonly Reference[]) => {
      const before = met.size;
      for (const { kind, id } of references) {
        if (met.size < MOST_MET && id && id.length <= LONGEST_ID) met.set(id, met.get(id) ?? kind);
      }
      if (met.size > before) (await loaded)?.known.forget();
    },
  };
}
