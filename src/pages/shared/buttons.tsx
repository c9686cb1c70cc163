/** A message's buttons, previewed: rows as the platform shows them (contract 2.8). */
import { useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import { parseWebAddress, safeLink } from '../../markup/links.ts';
import type { Button as ButtonModel } from '../../service/message.ts';
import { formatLabel, labels, postToHost } from './host.ts';

export function Buttons({ rows }: { rows: ButtonModel[][] }) {
  const [note, setNote] = useState('');
  if (rows.length === 0) return null;
  return (
    <div class="buttons">
      {rows.map((row, index) => (
        <div class="button-row" key={index}>
          {row.map((button, column) => (
            <Button key={column} button={button} say={setNote} />
          ))}
        </div>
      ))}
      <div class="button-note" role="status" dir="auto">
        {note}
      </div>
    </div>
  );
}

function Button({ button, say: tellReader }: { button: ButtonModel; say: (note: string) => void }) {
  const { mark, hint, click } = effectOf(button, tellReader);
  return (
    <button type="button" class="preview-button" title={hint} onClick={click}>
      <bdi>{excerpt(button.text) || '…'}</bdi>
      {mark && (
        <svg class="mark" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
          <path d={mark} fill="none" stroke="currentColor" stroke-width="1.4" />
        </svg>
      )}
    </button>
  );
}

/** An arrow that leaves, two sheets, a flag. */
const MARKS = {
  open: 'M6 3H3v10h10v-3M9 2.5h4.5V7M13 3 7.5 8.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  report: 'M4 14V2.5h8.5L10.5 6l2 3.5H4',
} as const;

function effectOf({ actionType, text, url, value }: ButtonModel, tellReader: (note: string) => void) {
  switch (actionType) {
    case 1: {
      // Some senders put the address into `value`.
      const address = url || value;
      const web = parseWebAddress(address);
      if (!web) {
        const note = `${labels.noAddress} ${excerpt(address)}`.trim();
        return { mark: MARKS.open, hint: labels.noAddress, click: () => tellReader(note) };
      }
      const link = safeLink(web, text);
      const hint = formatLabel('opens', link?.title ?? '') + (link?.realTarget ? ` (→ ${link.realTarget})` : '');
      return { mark: MARKS.open, hint, click: () => postToHost({ type: 'open', url: web }) };
    }
    case 2:
      return {
        mark: MARKS.copy,
        hint: formatLabel('copies', excerpt(value)),
        click: () => {
          postToHost({ type: 'copy', text: value });
          tellReader(labels.copied);
        },
      };
    case 3: {
      const preview = formatLabel('reportPreview', excerpt(value));
      return { mark: MARKS.report, hint: formatLabel('reports', excerpt(value)), click: () => tellReader(preview) };
    }
    default: {
      const hint = formatLabel('unknownAction', excerpt(String(actionType ?? '?')));
      return { mark: undefined, hint, click: () => tellReader(hint) };
    }
  }
}
