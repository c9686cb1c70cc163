/** A preview of a message's buttons, in rows (contract 2.8). */
import { useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import { parseWebAddress, safeLink } from '../../markup/links.ts';
import { buttonAddress, readableText } from '../../markup/messageContent.ts';
import type { Button as ButtonModel } from '../../service/message.ts';
import { l10n, request } from './host.ts';

export function Buttons({ rows }: { rows: ButtonModel[][] }) {
  const [note, setNote] = useState('');
  if (rows.length === 0) return null;
  return (
    <div class="buttons">
      {rows.map((row, index) => (
        <div class="button-row" key={index}>
          {row.map((button, column) => (
            <Button key={column} button={button} showNote={setNote} />
          ))}
        </div>
      ))}
      <div class="button-note" role="status" dir="auto">
        {note}
      </div>
    </div>
  );
}

function Button({ button, showNote }: { button: ButtonModel; showNote: (note: string) => void }) {
  const { icon, hint, onClick } = effectOf(button, showNote);
  return (
    <button type="button" class="preview-button" title={hint} onClick={onClick}>
      <bdi>{excerpt(readableText(button.text)) || '…'}</bdi>
      {icon && (
        <svg class="mark" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
          <path d={icon} fill="none" stroke="currentColor" stroke-width="1.4" />
        </svg>
      )}
    </button>
  );
}

/** SVG paths: an arrow out of a box, two sheets. As in apps (observed), buttons that report have none. */
const ICONS = {
  open: 'M6 3H3v10h10v-3M9 2.5h4.5V7M13 3 7.5 8.5',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
} as const;

function effectOf(button: ButtonModel, showNote: (note: string) => void) {
  const { actionType, text, value } = button;
  switch (actionType) {
    case 1: {
      const address = buttonAddress(button);
      const url = parseWebAddress(address);
      if (!url) {
        const note = `${l10n.t('This button has no web link to open.')} ${excerpt(address)}`.trim();
        return {
          icon: ICONS.open,
          hint: l10n.t('This button has no web link to open.'),
          onClick: () => showNote(note),
        };
      }
      const link = safeLink(url, text);
      const hint = l10n.t('Opens {0}', link?.title ?? '') + (link?.realTarget ? ` (→ ${link.realTarget})` : '');
      return { icon: ICONS.open, hint, onClick: () => request({ type: 'open', url }) };
    }
    case 2:
      return {
        icon: ICONS.copy,
        hint: l10n.t('Copies “{0}”', excerpt(value)),
        onClick: () => {
          request({ type: 'copy', text: value });
          showNote(l10n.t('Copied'));
        },
      };
    case 3: {
      const preview = l10n.t(
        'In the chat, this button reports “{0}”. This is a preview, so nothing was reported.',
        excerpt(value),
      );
      return { icon: undefined, hint: l10n.t('Reports “{0}”', excerpt(value)), onClick: () => showNote(preview) };
    }
    default: {
      const hint = l10n.t('Unknown action type {0}', excerpt(String(actionType ?? '?')));
      return { icon: undefined, hint, onClick: () => showNote(hint) };
    }
  }
}
