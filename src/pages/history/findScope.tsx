/** Below the find bar, unless the whole chat is loaded: what was searched, and the ways to the rest of the chat. */
import type { EdgeView, FromPage } from '../../protocol/history.ts';
import { formatNumber } from '../common/formats.ts';
import { formatLabel, labels, postToHost } from '../common/host.ts';
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
    postToHost(message);
  };
  return (
    <div class="find-scope">
      <span>{searched === 1 ? labels.searchedOne : formatLabel('searched', formatNumber(searched))}</span>
      {isArchived && (
        <Way
          label={labels.searchArchive}
          effect={labels.searchArchiveEffect}
          go={() => postToHost({ type: 'searchArchive', text: query.trim() })}
        />
      )}
      {older.at !== 'end' && (
        <LoadButton
          edge={older}
          label={labels.loadOlder}
          effect={labels.loadOlderEffect}
          load={() => load({ type: 'older' })}
        />
      )}
      <Way label={labels.loadHistory} effect={labels.loadHistoryEffect} go={() => load({ type: 'loadHistory' })} />
      {isArchived === false && (
        <Way
          label={labels.archiveHere}
          effect={labels.archiveHereEffect}
          go={() => postToHost({ type: 'archiveHere' })}
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
