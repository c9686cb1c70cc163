/** Below the find bar, unless the whole chat is loaded: what was searched, and the ways to the rest of the chat. */
import type { EdgeView, FromPage } from '../../protocol/history.ts';
import { formatNumber } from '../common/formats.ts';
import { l10n, postToHistory } from '../common/host.ts';
import { LoadButton } from './edges.tsx';

interface Props {
  query: string;
  /** How many messages were searched. */
  searched: number;
  older: EdgeView;
  /** Whether the chat is archived; undefined if it can't be. */
  isArchived: boolean | undefined;
  /** More messages are about to be loaded. */
  onLoad(): void;
}

export function FindScope({ query, searched, older, isArchived, onLoad }: Props) {
  const load = (message: FromPage) => {
    onLoad();
    postToHistory(message);
  };
  return (
    <div class="find-scope">
      <span>
        {searched === 1
          ? l10n.t('Searched the 1 loaded message.')
          : l10n.t('Searched the {0} loaded messages.', formatNumber(searched))}
      </span>
      {isArchived && (
        <Way
          label={l10n.t('Search the Archive')}
          effect={l10n.t('Searches all messages of this chat that are kept on this computer.')}
          go={() => postToHistory({ type: 'searchArchive', text: query.trim() })}
        />
      )}
      {older.at !== 'end' && (
        <LoadButton
          edge={older}
          label={l10n.t('Load Older Messages')}
          effect={l10n.t('Loads the next messages before those that are loaded, and searches them, too.')}
          load={() => load({ type: 'older' })}
        />
      )}
      {!isArchived && (
        <Way
          label={l10n.t('Load Entire History')}
          effect={l10n.t('Loads all messages of this chat to search them, which may take a while. You can cancel it.')}
          go={() => load({ type: 'loadHistory' })}
        />
      )}
      {isArchived === false && (
        <Way
          label={l10n.t('Archive This Chat…')}
          effect={l10n.t(
            'Keeps a copy of all messages of this chat on this computer, which you can search at any time.',
          )}
          go={() => postToHistory({ type: 'archiveHere' })}
        />
      )}
    </div>
  );
}

function Way({ label, effect, go }: { label: string; effect: string; go(): void }) {
  return (
    <button type="button" class="link" title={effect} onClick={go}>
      {label}
    </button>
  );
}
