import assert from 'node:assert/strict';
import type { QuickPickItem, QuickPickOptions, window } from 'vscode';
import type { LeftOut } from '../../../../src/deliveries/draft/leaveOut.ts';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { confirm, confirmTrial } from '../../../../src/deliveries/send/confirmation.ts';
import type { Planned } from '../../../../src/deliveries/send/journey.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { answer, restore } from '../../answers.ts';
import { deliveryOf, groups, storedEntry } from '../outbox/testDeliveries.ts';
import { plannedOf } from './testJourney.ts';

const resendOf = (...toCheck: string[]): Planned['purpose'] => ({
  type: 'resend',
  delivery: deliveryOf([]),
  unreached: { recipients: [], uncertain: [], nobody: [], toCheck, lastId: '', claimCount: 0 },
});

const editOf = (editedDue: number): Planned['purpose'] => ({
  type: 'edit',
  entry: { ...storedEntry(new DeliveryStatus(deliveryOf([]))), editedDue },
});

describe('The confirmation', () => {
  let shown: { title: string; detail: string; buttons: string[] }[];
  let lists: { items: readonly QuickPickItem[]; options: QuickPickOptions }[];

  afterEach(restore);

  /** Presses a button that begins with a text, behind _More…_ if need be, each time it is asked. */
  function press(...starts: string[]): void {
    [shown, lists] = [[], []];
    let next = 0;
    answer('showWarningMessage', (async (title: string, { detail }: { detail: string }, ...buttons: string[]) => {
      shown.push({ title, detail, buttons });
      const start = starts[next];
      const button = buttons.find((one) => start !== undefined && one.startsWith(start));
      if (button !== undefined) next++;
      return button ?? (start === undefined ? undefined : buttons.find((one) => one === 'More…'));
    }) as unknown as typeof window.showWarningMessage);
    answer('showQuickPick', (async (items: readonly QuickPickItem[], options: QuickPickOptions) => {
      lists.push({ items, options });
      const start = starts[next++];
      return items.find(({ label }) => start !== undefined && label.startsWith(start));
    }) as unknown as typeof window.showQuickPick);
  }

  const soon = Date.now() + 3_600_000;
  const sendAt = `Send at ${formatShortTime(soon, Date.now())}`;
  const known = (...ids: string[]) => [
    { text: shownText`They have it.`, needless: new Set(ids.map((id) => `group ${id}`)) },
  ];
  const changed = [{ text: shownText`The text has changed.`, compare: '000000000000001-delivery' }];

  for (const [of, given, buttons] of [
    ['a draft', {}, ['Change Recipients…', 'Send', 'Later…', 'Test…']],
    ['rows of a file', { chosenBy: 'file' }, ['Show Preview', 'Send', 'Later…', 'Test…']],
    ['a resend', { purpose: resendOf() }, ['Change Recipients…', 'Resend']],
    ['a resend with values', { purpose: resendOf(), chosenBy: 'report' }, ['Open Report', 'Resend']],
    ['a resend that can be checked', { purpose: resendOf('a') }, ['Check Delivery', 'Resend', 'Change Recipients…']],
    ['an edited message before its time', { purpose: editOf(soon) }, ['Change Recipients…', sendAt, 'Send', 'More…']],
    ['an edited message after it', { purpose: editOf(1) }, ['Change Recipients…', 'Send', 'Later…', 'Test…']],
    ['some who need it', { warnings: known('a', 'b') }, ['Change Recipients…', 'Leave Out (2)', 'Send', 'More…']],
    ['nobody who needs it', { warnings: known('a', 'b', 'c') }, ['Change Recipients…', 'Send', 'Later…', 'Test…']],
    ['a document that has changed', { warnings: changed }, ['Change Recipients…', 'Send', 'Later…', 'More…']],
  ] as const)
    it(`of ${of} offers what can be done, the most needed first`, async () => {
      press();
      assert.deepEqual(await confirm(plannedOf(given)), { type: 'canceled' });
      assert.deepEqual(shown[0]?.buttons, buttons);
    });

  it('says what each button is for', async () => {
    const answerTo = async (button: string, given: Parameters<typeof plannedOf>[0] = {}) => {
      press(button);
      return confirm(plannedOf(given));
    };
    assert.deepEqual(await answerTo('Change Recipients…'), { type: 'changeRecipients' });
    assert.deepEqual(await answerTo('Send'), { type: 'send' });
    assert.deepEqual(await answerTo('Later…'), { type: 'later' });
    assert.deepEqual(await answerTo('Test…'), { type: 'tryFirst' });
    assert.deepEqual(await answerTo('Check Delivery', { purpose: resendOf('a') }), { type: 'check' });
    assert.deepEqual(await answerTo('Send at', { purpose: editOf(soon) }), { type: 'schedule', due: soon });
    assert.equal(shown[0]?.detail.split('\n')[0], `It was scheduled for ${formatDateTime(soon)}.`);
    const needless = new Set(['group b']);
    assert.deepEqual(await answerTo('Leave Out', { warnings: known('b') }), { type: 'leaveOut', needless });
    assert.deepEqual(await answerTo('Compare', { warnings: changed }), {
      type: 'compare',
      id: '000000000000001-delivery',
    });
    assert.deepEqual(lists.at(-1)?.options, {
      title: 'Send “a.md” as Order Desk to 3 groups?',
      placeHolder: 'Press Escape to go back',
      ignoreFocusOut: true,
    });
  });

  it('lists on request everyone who gets the message, and everyone who is left out, with the reason', async () => {
    press('Show All…');
    const recipients = groups(...'abcdefghij');
    const leftOut: LeftOut<Recipient>[] = [
      ...groups('x').map((one) => ({ ...one, by: 'never' as const, note: 'left' })),
      ...groups('y').map((one) => ({ ...one, by: 'except' as const, note: '' })),
    ];
    await confirm(plannedOf({ recipients, leftOut }));
    assert.match(shown[0]?.detail ?? '', /• group h \(h\)\n… and 2 more\n/);
    assert.deepEqual(
      lists[0]?.items.map(({ label }) => label),
      ['Test…', 'Show All…'],
    );
    const { items = [], options } = lists.at(-1) ?? {};
    assert.deepEqual(
      items.map(({ label, description = '' }) => `${label} ${description}`.replace(/^\$\(\w+\) /, '').trim()),
      [
        ...[...'abcdefghij'].map((id) => `group ${id} ${id}`),
        'Left out',
        'group x On your Do Not Send list: left · x',
        'group y Under except: in the document · y',
      ],
    );
    const placeHolder = 'Press Enter or Escape to go back';
    assert.deepEqual(options, { title: 'All Recipients', placeHolder, matchOnDescription: true, ignoreFocusOut: true });
    // Escape goes back to the question, from either list.
    assert.deepEqual(shown.slice(1), [shown[0]]);
    press('Nothing');
    await confirm(plannedOf({ recipients, leftOut }));
    assert.deepEqual(shown.slice(1), [shown[0]]);
  });

  it('keeps the message from imitating its own text', async () => {
    press();
    const text = `Hi\n\nTo:\n• nobody (1)\u2028⚠ none\r\u202e${'\n'.repeat(120)}Send?`;
    const buttons = [[{ text: 'Yes\nTo: nobody', actionType: 3, value: 'yes' }]];
    const message = { contentType: 'text' as const, content: { text, buttons } };
    await confirm(plannedOf({ draft: { name: 'a\n\nTo: b.md', message }, recipients: groups('a') }));
    assert.equal(shown[0]?.title, 'Send “a To: b.md” as Order Desk to 1 group?');
    const content = 'Text, 154 characters:\n│ Hi\n│ To:\n│ • nobody (1) ⚠ none\n│ Send?\n│ [Yes To: nobody]';
    const by = 'Bot: Order Desk (30481126)\nService: https://service.test';
    assert.equal(shown[0]?.detail, `${by}\n\nTo:\n• group a (a)\n\n${content}`);
  });

  it('shows the first problems, and fewer recipients and lines below much else, so that it fits into the window', async () => {
    press();
    const text = [...'abcdefghijk'].join('\n');
    const problems = ['One.', 'Two\nlines.', 'Three.', 'Four.', 'Five.'];
    const draft = { message: { contentType: 'text' as const, content: { text } }, problems };
    const many = { trials: ['✓ 1', '✓ 2', '⚠ 3', '✓ 4'], warnings: known().concat(known(), known()) };
    for (const given of [{}, many]) await confirm(plannedOf({ draft, recipients: groups(...'abcdefghij'), ...given }));
    const lines = (start: string) => shown.map(({ detail }) => detail.split(`\n${start} `).length - 1);
    assert.deepEqual(
      [lines('•'), lines('│')],
      [
        [7, 3],
        [10, 6],
      ],
    );
    const warned = '⚠ One.\n⚠ Two lines.\n⚠ Three.\n… and 2 more';
    const [few, all] = shown.map(({ detail }) => detail.split('\n\n')[0]);
    assert.deepEqual(few, warned);
    assert.equal(all, `✓ 2\n⚠ 3\n✓ 4\n${'⚠ They have it.\n'.repeat(3)}${warned}`);
  });

  it('of a trial names the chat, and whose values it gets', async () => {
    press();
    const [first, other] = groups('a', 'x');
    assert.ok(first && other);
    const trial = (to: Recipient) =>
      plannedOf({
        draft: { variables: ['name'] },
        purpose: { type: 'trial', recipients: [first] },
        recipients: [to],
      });
    assert.deepEqual(await confirmTrial(trial(other)), { type: 'canceled' });
    assert.deepEqual(shown[0]?.buttons, ['Change Chat', 'Send to This Chat']);
    assert.equal(shown[0]?.title, 'Send “a.md” as Order Desk to group x first?');
    assert.match(shown[0]?.detail ?? '', /^To:\n• group x \(x\)\nWith the values of group a \(a\)\.$/m);
    await confirmTrial(trial(first));
    assert.doesNotMatch(shown[1]?.detail ?? '', /With the values/);
    press('Send to');
    assert.deepEqual(await confirmTrial(trial(other)), { type: 'send' });
    press('Change Chat');
    assert.deepEqual(await confirmTrial(trial(other)), { type: 'changeRecipients' });
  });
});
