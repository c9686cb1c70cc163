import assert from 'node:assert/strict';
import type { QuickPickItem, QuickPickOptions } from 'vscode';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { confirm, confirmTrial } from '../../../../src/deliveries/send/confirmation.ts';
import type { Planned } from '../../../../src/deliveries/send/journey.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { type Modal, onModals, restore } from '../../answers.ts';
import { useWallClock } from '../../clocks.ts';
import { AT, deliveryOf, groups, storedEntry } from '../outbox/testDeliveries.ts';
import { plannedOf, resendOf } from './testJourney.ts';
import { onChoice } from './testSending.ts';

type Given = Parameters<typeof plannedOf>[0];

const resend = (...toCheck: string[]): Planned['purpose'] => resendOf(deliveryOf([]), { toCheck });

const editOf = (editedDue: number): Planned['purpose'] => ({
  type: 'edit',
  entry: { ...storedEntry(new DeliveryStatus(deliveryOf([]))), editedDue },
});

describe('The confirmation', () => {
  useWallClock(AT);
  let shown: Modal[];
  let lists: { items: readonly QuickPickItem[]; options: QuickPickOptions }[];

  afterEach(restore);

  /** Presses buttons that begin with these texts, in order, those without a button behind _More…_; then Escape. */
  function press(...starts: string[]): void {
    lists = [];
    let next = 0;
    const isNext = (text: string) => starts[next] !== undefined && text.startsWith(starts[next] ?? '');
    shown = onModals(({ buttons }) => {
      const button = buttons.find(isNext);
      if (button !== undefined) next++;
      return button ?? (next < starts.length ? 'More…' : undefined);
    });
    onChoice((items, _, options) => {
      lists.push({ items, options });
      const item = items.find(({ label }) => isNext(label));
      next++;
      return item;
    });
  }
  const pressing = (button: string, given: Given) => {
    press(button);
    return confirm(plannedOf(given));
  };

  const soon = AT + 3_600_000;
  const sendAt = `Send at ${formatShortTime(soon, AT)}`;
  const known = (...ids: string[]) => [
    { text: shownText`They have it.`, needless: new Set(ids.map((id) => `group ${id}`)) },
  ];
  const changed = [{ text: shownText`The text has changed.`, compare: '000000000000001-delivery' }];
  const many = groups(...'abcdefghij');
  const leftOut = groups(...'vwxyz').map((one) => ({ ...one, by: 'never' as const, note: '' }));
  const back = 'Change Recipients…';

  for (const [of, given, buttons] of [
    ['a draft', {}, [back, 'Send', 'Later…', 'Test…']],
    ['rows of a file', { chosenBy: 'file' }, ['Show Preview', 'Send', 'Later…', 'Test…']],
    ['a resend', { purpose: resend() }, [back, 'Resend']],
    ['a resend with values', { purpose: resend(), chosenBy: 'report' }, ['Open Report', 'Resend']],
    ['a resend that can be checked', { purpose: resend('a') }, ['Check Delivery', 'Resend', back]],
    ['an edited message before its time', { purpose: editOf(soon) }, [back, sendAt, 'Send', 'More…']],
    ['an edited message after it', { purpose: editOf(AT) }, [back, 'Send', 'Later…', 'Test…']],
    ['some who need it', { warnings: known('a', 'b') }, [back, 'Leave Out (2)', 'Send', 'More…']],
    ['nobody who needs it', { warnings: known('a', 'b', 'c') }, [back, 'Send', 'Later…', 'Test…']],
    ['a document that has changed', { warnings: changed }, [back, 'Send', 'Later…', 'More…']],
    ['a resend to many', { purpose: resend(), recipients: many }, [back, 'Resend', 'Show All…']],
    ['a resend without many', { purpose: resend(), leftOut }, [back, 'Resend', 'Show All…']],
    ['a resend without a few', { purpose: resend(), leftOut: leftOut.slice(0, 3) }, [back, 'Resend']],
  ] as const)
    it(`of ${of} offers what can be done, the most needed first`, async () => {
      press();
      assert.deepEqual(await confirm(plannedOf(given)), { type: 'canceled' });
      assert.deepEqual(shown[0]?.buttons, buttons);
    });

  for (const [button, expected, given] of [
    [back, { type: 'changeRecipients' }],
    ['Send', { type: 'send' }],
    ['Later…', { type: 'later' }],
    ['Test…', { type: 'tryFirst' }],
    ['Check Delivery', { type: 'check' }, { purpose: resend('a') }],
    ['Send at', { type: 'schedule', due: soon }, { purpose: editOf(soon) }],
    ['Leave Out', { type: 'leaveOut', needless: new Set(['group b']) }, { warnings: known('b') }],
    ['Compare', { type: 'compare', id: '000000000000001-delivery' }, { warnings: changed }],
  ] as const)
    it(`answers “${button}”`, async () => assert.deepEqual(await pressing(button, given), expected));

  it('has a title of who sends what to whom, also above what has no button', async () => {
    await pressing('Compare', { warnings: changed });
    const title = 'Send “a.md” as Order Desk to 3 groups?';
    assert.deepEqual(lists[0]?.options, { title, placeHolder: 'Press Escape to go back', ignoreFocusOut: true });
    assert.equal(shown[0]?.message, title);
    await pressing('Resend', { purpose: resend(), recipients: groups('a') });
    assert.equal(shown[0]?.message, 'Resend “a.md” as Order Desk to 1 group?');
  });

  it('begins with the time of an edited message, then says what is left out, what to know, and where that is kept', async () => {
    press();
    const warnings = known('b');
    const given = plannedOf({ purpose: editOf(soon), leftOut, warnings, draft: { problems: ['Bold text.'] } });
    await confirm(given, shownText`Kept elsewhere.`);
    assert.deepEqual(shown[0]?.detail.split('\n\n')[0]?.split('\n'), [
      `It was scheduled for ${formatDateTime(soon)}.`,
      '⊘ Left out, on your Do Not Send list (5): group v (v), group w (w), group x (x), … and 2 more',
      '⚠ They have it.',
      '⚠ Bold text.',
      "“Leave Out” asks again without those who have it or don't exist.",
      'Kept elsewhere.',
    ]);
  });

  it('lists on request everyone who gets the message, and everyone who is left out, with the reason', async () => {
    const [x, y] = groups('x', 'y');
    assert.ok(x && y);
    const given = {
      recipients: many,
      leftOut: [
        { ...x, by: 'never' as const, note: 'left' },
        { ...y, by: 'except' as const, note: '' },
      ],
    };
    await pressing('Show All…', given);
    assert.match(shown[0]?.detail ?? '', /• group h \(h\)\n… and 2 more\n/);
    assert.deepEqual(
      lists[0]?.items.map(({ label }) => label),
      ['Test…', 'Show All…'],
    );
    const { items = [], options } = lists.at(-1) ?? {};
    assert.deepEqual(
      items.map(({ label, description = '' }) => `${label} ${description}`.replace(/^\$\(\w+\) /, '').trim()),
      [
        ...many.map(({ id }) => `group ${id} ${id}`),
        'Left out',
        'group x On your Do Not Send list: left · x',
        'group y Under except: in the document · y',
      ],
    );
    const placeHolder = 'Press Enter or Escape to go back';
    assert.deepEqual(options, { title: 'All Recipients', placeHolder, matchOnDescription: true, ignoreFocusOut: true });
    // Escape goes back to the question, from either list.
    assert.deepEqual(shown.slice(1), [shown[0]]);
    await pressing('Nothing', given);
    assert.deepEqual(shown.slice(1), [shown[0]]);
  });

  it('keeps the message from imitating its own text', async () => {
    press();
    const text = `Hi\n\nTo:\n• nobody (1)\u2028⚠ none\r\u202e${'\n'.repeat(120)}Send?`;
    const buttons = [[{ text: 'Yes\nTo: nobody', actionType: 3, value: 'yes' }]];
    const message = { contentType: 'text' as const, content: { text, buttons } };
    await confirm(plannedOf({ draft: { name: 'a\n\nTo: b.md', message }, recipients: groups('a') }));
    assert.equal(shown[0]?.message, 'Send “a To: b.md” as Order Desk to 1 group?');
    const content = 'Text, 154 characters:\n│ Hi\n│ To:\n│ • nobody (1) ⚠ none\n│ Send?\n│ [Yes To: nobody]';
    const by = 'Bot: Order Desk (30481126)\nService: https://service.test';
    assert.equal(shown[0]?.detail, `${by}\n\nTo:\n• group a (a)\n\n${content}`);
  });

  it('shows the first problems and the last trials, and fewer recipients and lines below them, to fit into the window', async () => {
    const text = [...'abcdefghijk'].join('\n');
    const message = { contentType: 'text' as const, content: { text } };
    const problems = ['One.', 'Two\nlines.', 'Three.', 'Four.', 'Five.'];
    const first = ['⚠ One.', '⚠ Two lines.', '⚠ Three.', '… and 2 more'];
    const trials = [shownText`✓ 1`, shownText`✓ 2`, shownText`⚠ 3`, shownText`✓ 4`];
    for (const [given, notes, names, lines] of [
      [{}, first, 7, 10],
      [{ trials, warnings: known() }, ['✓ 2', '⚠ 3', '✓ 4', '⚠ They have it.', ...first], 3, 6],
    ] as const) {
      press();
      await confirm(plannedOf({ draft: { message, problems }, recipients: many, ...given }));
      const { detail } = shown[0] ?? assert.fail();
      assert.deepEqual(detail.split('\n\n')[0]?.split('\n'), notes);
      assert.deepEqual([detail.match(/^• /gm)?.length, detail.match(/^│ /gm)?.length], [names, lines]);
    }
  });

  describe('of a trial', () => {
    const [first, other] = groups('a', 'x') as [Recipient, Recipient];
    const trial = (to: Recipient, variables = ['name']) =>
      plannedOf({ draft: { variables }, purpose: { type: 'trial', recipients: [first] }, recipients: [to] });

    it('names the chat, and whose values it gets', async () => {
      press();
      assert.deepEqual(await confirmTrial(trial(other)), { type: 'canceled' });
      assert.deepEqual(shown[0]?.buttons, ['Change Chat', 'Send to This Chat']);
      assert.equal(shown[0]?.message, 'Send “a.md” as Order Desk to group x first?');
      assert.match(shown[0]?.detail ?? '', /^To:\n• group x \(x\)\nWith the values of group a \(a\)\.$/m);
      await confirmTrial(trial(first));
      await confirmTrial(trial(other, []));
      for (const { detail } of shown.slice(1)) assert.doesNotMatch(detail, /With the values/);
    });

    for (const [button, type] of [
      ['Send to', 'send'],
      ['Change Chat', 'changeRecipients'],
    ] as const)
      it(`answers “${button}”`, async () => {
        press(button);
        assert.deepEqual(await confirmTrial(trial(other)), { type });
      });
  });
});
