/** A message's buttons, previewed: rows as the platform shows them (contract 2.8). */
import { useState } from 'preact/hooks';
import type { Button as ButtonModel } from '../../service/message.ts';
import { labels, say, tell } from './host.ts';

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
      <div class="button-note" role="status">
        {note}
      </div>
    </div>
  );
}

function Button({ button, say: tellReader }: { button: ButtonModel; say: (note: string) => void }) {
  const { mark, hint, click } = effectOf(button, tellReader);
  return (
    <button type="button" class="preview-button" title={hint} onClick={click}>
      {button.text || '…'}
      <span class="mark" aria-hidden="true">
        {mark}
      </span>
    </button>
  );
}

function effectOf({ actionType, url, value }: ButtonModel, tellReader: (note: string) => void) {
  switch (actionType) {
    case 1: {
      // Some senders put the address into `value`.
      const address = url || value;
      if (!/^https?:\/\//i.test(address)) {
        return { mark: '↗', hint: labels.noAddress, click: () => tellReader(`${labels.noAddress} ${address}`) };
      }
      return { mark: '↗', hint: say('opens', address), click: () => tell({ type: 'open', url: address }) };
    }
    case 2:
      return {
        mark: '⧉',
        hint: say('copies', value),
        click: () => {
          tell({ type: 'copy', text: value });
          tellReader(labels.copied);
        },
      };
    case 3:
      return { mark: '⚑', hint: say('reports', value), click: () => tellReader(say('reportPreview', value)) };
    default: {
      const hint = say('unknownAction', actionType ?? '?');
      return { mark: '?', hint, click: () => tellReader(hint) };
    }
  }
}
