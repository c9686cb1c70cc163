/** Below the find bar, if it finds little: what was searched, and the ways to the rest of the chat. */
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
        <Way label={labels.searchArchive} go={() => postToHost({ type: 'searchArchive', text: query.trim() })} />
      )}
      {older.at !== 'end' && <LoadButton edge={older} label={labels.loadOlder} load={() => load({ type: 'older' })} />}
      <Way label={labels.loadHistory} go={() => load({ type: 'loadHistory' })} />
      {isArchived === false && <Way label={labels.archiveHere} go={() => postToHost({ type: 'archiveHere' })} />}
    </div>
  );
}

function Way({ label, go }: { label: string; go(): void }) {
  return (
    <button type="button" class="link" onClick={go}>
      {label}
    </button>
  );
}
