/** Chooses one of thousands of senders. */
import { useMemo, useState } from 'preact/hooks';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { SearchScope } from '../../protocol/search.ts';
import { ComboBox } from '../common/controls.tsx';
import { l10n } from '../common/host.ts';
import { senderOptions } from './query.ts';

interface Props {
  senders: SearchScope['senders'];
  /** The chosen one, if any. */
  sender: string | undefined;
  choose(sender: string | undefined): void;
}

export function SenderBox({ senders, sender, choose }: Props) {
  const [text, setText] = useState('');
  const name = useMemo(() => senders.find((one) => one.sender === sender)?.name ?? '', [senders, sender]);
  const found = useMemo(() => senderOptions(senders, text), [senders, text]);
  return (
    <ComboBox
      label={l10n.t('Sender')}
      placeholder={l10n.t('All senders')}
      value={excerpt(name)}
      list={{
        label: l10n.t('Sender'),
        none: l10n.t('No matching senders'),
        keyOf: (option) => option.sender ?? '',
        show: (option) => (option.sender === undefined ? l10n.t('All senders') : excerpt(option.name)),
      }}
      found={found}
      look={setText}
      clear={() => choose(undefined)}
      choose={(option) => choose(option.sender)}
    />
  );
}
