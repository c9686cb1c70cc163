/** The filters of a search, and the order of its results. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { dayAfter, isDay, localDays } from '../../markup/days.ts';
import { excerpt } from '../../markup/escapeInvisible.ts';
import type { SearchQuery, SearchScope } from '../../protocol/search.ts';
import { ComboBox } from '../common/controls.tsx';
import { kindName } from '../common/formats.ts';
import { l10n } from '../common/host.ts';
import { type QueryChanges, senderOptions } from './query.ts';

interface Props {
  /** What can be searched; undefined while it's loading. */
  scope: SearchScope | undefined;
  query: SearchQuery;
  /** Whether the filters are shown in a narrow window, too. */
  areShown: boolean;
  change(changes: QueryChanges): void;
}

const NOTHING: SearchScope = { summary: '', unarchived: '', chats: [], senders: [], kinds: [] };

export function Filters({ scope = NOTHING, query, areShown, change }: Props) {
  const { chat, sender, kind, since, until, hasButtons, isCommand, withoutQuoted, order } = query;
  const { chats, senders, kinds } = scope;
  // The filters are rendered only if they change: thousands of options would be compared on each key.
  const chatOptions = useMemo(() => <ChatOptions chats={chats} />, [chats]);
  return (
    <div class={areShown ? 'filters' : 'filters folded'}>
      <Choice
        label={l10n.t('Chat')}
        value={chat === undefined ? '' : String(chat)}
        choose={(value) => change({ chat: value ? Number(value) : undefined })}
      >
        {chatOptions}
      </Choice>
      <SenderBox senders={senders} sender={sender} choose={(one) => change({ sender: one })} />
      <Choice label={l10n.t('Type')} value={kind ?? ''} choose={(value) => change({ kind: value || undefined })}>
        <option value="">{l10n.t('All types')}</option>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {excerpt(kindName(one))}
          </option>
        ))}
      </Choice>
      <div class="days">
        <Day
          label={l10n.t('From')}
          value={since === undefined ? '' : localDays.dayOf(since)}
          choose={(day) => change({ since: isDay(day) ? localDays.startOf(day) : undefined })}
        />
        <Day
          label={l10n.t('To')}
          value={until === undefined ? '' : localDays.dayOf(until - 1)}
          choose={(day) => change({ until: isDay(day) ? localDays.startOf(dayAfter(day)) : undefined })}
        />
      </div>
      <div class="others">
        <Toggle label={l10n.t('With buttons')} isOn={hasButtons} set={(isOn) => change({ hasButtons: isOn })} />
        <Toggle label={l10n.t('Commands')} isOn={isCommand} set={(isOn) => change({ isCommand: isOn })} />
        <Toggle
          label={l10n.t('Without quoted text')}
          isOn={withoutQuoted}
          set={(isOn) => change({ withoutQuoted: isOn })}
        />
        <Choice
          label={l10n.t('Sort order')}
          value={order}
          choose={(value) => change({ order: value === 'relevance' ? value : 'newest' })}
        >
          <option value="newest">{l10n.t('Newest first')}</option>
          <option value="relevance">{l10n.t('By relevance')}</option>
        </Choice>
      </div>
    </div>
  );
}

function ChatOptions({ chats }: Pick<SearchScope, 'chats'>) {
  const options = (kind: 'group' | 'user') =>
    chats
      .filter((chat) => chat.kind === kind)
      .map(({ number, name, otherName }) => (
        <option key={number} value={number}>
          {otherName ? `${excerpt(name)} · ${excerpt(otherName)}` : excerpt(name)}
        </option>
      ));
  const [groups, people] = [options('group'), options('user')];
  return (
    <>
      <option value="">{l10n.t('All chats')}</option>
      {groups.length > 0 && <optgroup label={l10n.t('Groups')}>{groups}</optgroup>}
      {people.length > 0 && <optgroup label={l10n.t('People')}>{people}</optgroup>}
    </>
  );
}

interface SenderProps {
  senders: SearchScope['senders'];
  /** The chosen sender, if any. */
  sender: string | undefined;
  choose(sender: string | undefined): void;
}

/** Chooses one of thousands of senders. */
function SenderBox({ senders, sender, choose }: SenderProps) {
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
      find={setText}
      clear={() => choose(undefined)}
      choose={(option) => choose(option.sender)}
    />
  );
}

interface FieldProps {
  label: string;
  value: string;
  choose(value: string): void;
}

function Choice({ label, value, choose, children }: FieldProps & { children: ComponentChildren }) {
  return (
    <select
      title={label}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {children}
    </select>
  );
}

function Day({ label, value, choose }: FieldProps) {
  return (
    <label class="day-field">
      {label}
      {/* With a maximum, years have four digits. */}
      <input type="date" max="9999-12-31" value={value} onInput={({ currentTarget }) => choose(currentTarget.value)} />
    </label>
  );
}

interface ToggleProps {
  label: string;
  isOn: boolean | undefined;
  set(isOn: boolean): void;
}

function Toggle({ label, isOn = false, set }: ToggleProps) {
  return (
    <button type="button" class="choice" aria-pressed={isOn} onClick={() => set(!isOn)}>
      {label}
    </button>
  );
}
