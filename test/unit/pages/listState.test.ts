import assert from 'node:assert/strict';
import {
  initialState,
  type ListEffect,
  type ListEvent,
  type ListState,
  type Position,
  reduce,
} from '../../../src/pages/history/listState.ts';

const NOWHERE: Position = { key: undefined, offset: 0 };
const at = (key: string, offset = 40): Position => ({ key, offset });

type EventOf<Type extends ListEvent['type']> = Extract<ListEvent, { type: Type }>;

/** The state after these events, and the effects of the last one. */
function play(start: ListState, ...events: readonly ListEvent[]) {
  let state = start;
  let effects: readonly ListEffect[] = [];
  for (const event of events) ({ state, effects } = reduce(state, event));
  return { ...state, effects };
}

const following: ListState = { type: 'following', position: at('last'), scrollTop: 1000, height: 1400 };
const seeking: ListState = {
  type: 'seeking',
  position: at('sought'),
  scrollTop: 1000,
  height: 1400,
  pinned: undefined,
};
const reading = (pinned?: Position): ListState => ({
  type: 'reading',
  position: at('read'),
  scrollTop: 500,
  height: 1400,
  pinned,
});

// User input by default; otherwise a row was resized or a screen reader scrolled.
const scrolled = (scrollTop: number, distance: number, more: Partial<EventOf<'scrolled'>> = {}): ListEvent => ({
  ...{ type: 'scrolled', scrollTop, distance, isFiltered: false, isByHand: true, isAnchoring: false },
  ...more,
});
const laidOut = (scrollTop: number, distance: number, height = 1400): ListEvent => ({
  ...{ type: 'laidOut', scrollTop, distance, height },
});
const NO_HAND = { isByHand: false };
const ANCHORING = { isAnchoring: true };
const FILTERED = { isFiltered: true };
const measured = (distance: number, isFiltered = false): ListEvent => ({ type: 'endMeasured', distance, isFiltered });
const changing = (
  distance: number,
  visible: Position | undefined,
  more: Partial<EventOf<'itemsChanging'>> = {},
): ListEvent => ({
  ...{ type: 'itemsChanging', distance, visible, isFiltered: false, isAnchoring: false, isSelecting: false },
  ...more,
});
const changed = (index: number, isOnPage = true): ListEvent => ({ type: 'itemsChanged', index, isOnPage });
const visibleMeasured = (visible: Position | undefined): ListEvent => ({ type: 'visibleMeasured', visible });
const pin = (position: Position): ListEvent => ({ type: 'pin', position });

const IS_NEWEST: ListEffect = { type: 'reportNewest', isNewest: true };
const NOT_NEWEST: ListEffect = { type: 'reportNewest', isNewest: false };
const TO_END: ListEffect = { type: 'scrollToEnd' };
const MEASURE_VISIBLE: ListEffect = { type: 'measureVisible' };
const keep = (index: number, offset: number, isMeasured: boolean): ListEffect => ({
  ...{ type: 'anchor', index, offset, isMeasured },
});

describe('The message list', () => {
  it('initially follows the newest message, unless there is one to restore', () => {
    assert.equal(initialState(NOWHERE).type, 'following');
    assert.deepEqual(initialState(at('m12', 7)), {
      ...{ type: 'seeking', position: { key: 'm12', offset: 7 }, scrollTop: 0, height: 0, pinned: undefined },
    });
  });

  describe('while it follows the newest message', () => {
    it('scrolls along with new items and resized rows', () => {
      const { type, effects } = play(following, changing(0, at('last')), changed(-1));
      assert.equal(type, 'following');
      assert.deepEqual(effects, [IS_NEWEST]);
      assert.deepEqual(play(following, laidOut(1000, 300)).effects, [TO_END]);
    });

    it('leaves a scroll up alone until it is reported, if the list has kept its height', () => {
      assert.deepEqual(play(following, laidOut(995, 5)).effects, []);
      assert.equal(play(following, laidOut(400, 600), scrolled(400, 600, NO_HAND)).type, 'reading');
      // The end as the last layout left it.
      assert.deepEqual(play(following, laidOut(1000, 300, 1700), laidOut(1200, 100, 1700)).effects, []);
    });

    it('scrolls along when rows shrink and others grow at once', () => {
      assert.deepEqual(play(following, laidOut(400, 0, 800)).effects, [TO_END]);
      assert.deepEqual(play(following, laidOut(400, 500, 1300)).effects, [TO_END]);
    });

    it('continues when more items are added before the end of the last ones is visible', () => {
      assert.equal(play(following, changing(300, at('m5')), changed(-1)).type, 'following');
      assert.equal(play(following, measured(300)).type, 'following');
    });

    it('stays where a text is selected', () => {
      const { type, effects } = play(following, changing(0, at('m5'), { isSelecting: true }), changed(5));
      assert.equal(type, 'reading');
      assert.deepEqual(effects, [keep(5, 40, true), NOT_NEWEST]);
    });

    it('stops when the user scrolls up, however little', () => {
      const { type, effects } = play(following, scrolled(995, 5));
      assert.equal(type, 'reading');
      assert.deepEqual(effects, [NOT_NEWEST, MEASURE_VISIBLE]);
    });

    it('continues when the user scrolls up by less than the threshold', () => {
      const { type, effects } = play(following, scrolled(996, 4));
      assert.equal(type, 'following');
      assert.deepEqual(effects, [IS_NEWEST, MEASURE_VISIBLE]);
    });

    it('continues when the user scrolls down or sideways', () => {
      assert.equal(play(following, scrolled(1000, 60)).type, 'following');
      assert.equal(play(following, scrolled(1001, 60)).type, 'following');
    });

    it('continues when a resized row scrolls it a little', () => {
      assert.equal(play(following, scrolled(900, 120, NO_HAND)).type, 'following');
    });

    it('stops when a screen reader scrolls far up', () => {
      assert.equal(play(following, scrolled(879, 121, NO_HAND)).type, 'reading');
    });

    it('compares each scroll position with the previous one', () => {
      assert.equal(play(following, scrolled(1200, 0), scrolled(1100, 60)).type, 'reading');
      assert.equal(play(following, scrolled(800, 0), scrolled(900, 60)).type, 'following');
    });

    it('keeps the visible message in place when items are added right after the user has left the newest', () => {
      const { effects } = play(following, scrolled(900, 100), changing(100, at('m7', -3)), changed(7));
      assert.deepEqual(effects, [keep(7, -3, true), NOT_NEWEST]);
    });

    it('uses the last visible message if none is visible', () => {
      const left = play(
        following,
        visibleMeasured(at('m8')),
        scrolled(500, 500),
        changing(500, undefined),
        changed(8, false),
      );
      assert.deepEqual(left.effects, [keep(8, 40, false), NOT_NEWEST]);
    });

    it('pins nothing', () => {
      const { position } = play(following, pin(at('pinned')), scrolled(900, 100), changing(100, at('m7')));
      assert.deepEqual(position, at('m7'));
    });
  });

  describe('while it seeks a message', () => {
    it('stays at the end without reporting it, whatever is added', () => {
      const events = [changing(0, at('m99')), changed(-1, false), measured(0), scrolled(980, 20, NO_HAND)];
      for (const event of events) {
        const { type, position, effects } = play(seeking, event);
        assert.equal(type, 'seeking');
        assert.deepEqual(position, at('sought'));
        assert.deepEqual(effects, []);
      }
      assert.deepEqual(play(seeking, laidOut(900, 300, 1600)).effects, [TO_END]);
    });

    it('shows the message at its old position as soon as it is loaded', () => {
      const { type, effects } = play(seeking, changing(0, at('m99')), changed(12, false));
      assert.equal(type, 'reading');
      assert.deepEqual(effects, [keep(12, 40, false), NOT_NEWEST]);
    });

    it('waits for the rows around the message even if it is rendered already', () => {
      assert.deepEqual(play(seeking, changed(12)).effects, [keep(12, 40, false), NOT_NEWEST]);
    });

    it('stays where it is if the message no longer exists', () => {
      const lost = play(seeking, { type: 'seekFailed' });
      assert.equal(lost.type, 'reading');
      assert.deepEqual(lost.effects, [{ type: 'measureEnd' }]);
      assert.equal(play(seeking, { type: 'seekFailed' }, measured(0)).type, 'following');
      assert.equal(play(seeking, { type: 'seekFailed' }, measured(5)).type, 'reading');
    });

    it('stops when the user scrolls', () => {
      const { type, effects } = play(seeking, scrolled(700, 300));
      assert.equal(type, 'reading');
      assert.deepEqual(effects, [NOT_NEWEST, MEASURE_VISIBLE]);
    });

    it('stops when a screen reader scrolls far up', () => {
      assert.equal(play(seeking, scrolled(700, 300, NO_HAND)).type, 'reading');
    });

    it('follows the newest if the user scrolls to the end before the message is loaded', () => {
      const { type, effects } = play(seeking, scrolled(1001, 0), changing(0, at('m99')), changed(-1, false));
      assert.equal(type, 'following');
      assert.deepEqual(effects, [IS_NEWEST]);
    });

    it('stops when the user jumps to the newest or goes to another message', () => {
      assert.equal(play(seeking, { type: 'jumpToNewest' }).type, 'following');
      assert.equal(play(seeking, { type: 'goTo' }).type, 'reading');
    });

    it('keeps a pinned message in place after the message is loaded', () => {
      const { position } = play(seeking, pin(at('pinned', 90)), changed(12, false), changing(500, at('m12')));
      assert.deepEqual(position, at('pinned', 90));
      assert.deepEqual(
        play(seeking, pin(at('pinned')), { type: 'seekFailed' }, changing(500, at('m1'))).position,
        at('pinned'),
      );
    });
  });

  describe('while it is being read', () => {
    it('keeps the first visible message in place when others are added or removed', () => {
      const { type, position, effects } = play(reading(), changing(500, at('m30', -12)), changed(31));
      assert.equal(type, 'reading');
      assert.deepEqual(position, at('m30', -12));
      assert.deepEqual(effects, [keep(31, -12, true), NOT_NEWEST]);
    });

    it('waits for the rows around a message that was not rendered', () => {
      assert.deepEqual(play(reading(), changed(31, false)).effects, [keep(31, 40, false), NOT_NEWEST]);
    });

    it('never scrolls by itself', () => {
      assert.deepEqual(play(reading(), laidOut(500, 300)).effects, []);
    });

    it('stays where it is if the message being read is removed', () => {
      const { type, effects } = play(reading(), changing(500, at('m30')), changed(-1, false));
      assert.equal(type, 'reading');
      assert.deepEqual(effects, [NOT_NEWEST]);
    });

    it('ignores the visible message while rows are measured', () => {
      const { position, effects } = play(reading(), changing(500, at('passing by'), ANCHORING), changed(31, false));
      assert.deepEqual(position, at('read'));
      assert.deepEqual(effects, [keep(31, 40, false), NOT_NEWEST]);
    });

    it('ignores scroll events while rows are measured', () => {
      const { type, scrollTop, effects } = play(reading(), scrolled(0, 0, ANCHORING));
      assert.deepEqual([type, scrollTop, effects], ['reading', 500, []]);
      assert.equal(play(following, scrolled(2000, 0, ANCHORING), scrolled(1100, 60)).type, 'following');
    });

    it('follows the newest once it is visible, before more items are added', () => {
      assert.equal(play(reading(), measured(4)).type, 'following');
      assert.equal(play(reading(), measured(5)).type, 'reading');
      assert.deepEqual(play(reading(), scrolled(990, 4)).effects, [IS_NEWEST, MEASURE_VISIBLE]);
      assert.equal(play(reading(), changing(4, at('m30'))).type, 'following');
      assert.equal(play(reading(), changing(4, at('m30'), ANCHORING)).type, 'following');
    });

    it("doesn't follow the end of a filtered list", () => {
      assert.deepEqual(play(reading(), measured(0, true)).effects, [NOT_NEWEST]);
      assert.equal(play(reading(), scrolled(990, 0, FILTERED)).type, 'reading');
      const { type, position } = play(reading(), changing(0, at('m30'), FILTERED));
      assert.equal(type, 'reading');
      assert.deepEqual(position, at('m30'));
    });

    it('saves the visible message one frame after a scroll', () => {
      const { position, effects } = play(reading(), scrolled(400, 600), visibleMeasured(at('m20', 3)));
      assert.deepEqual(position, at('m20', 3));
      assert.deepEqual(effects, [{ type: 'savePosition', position: { key: 'm20', offset: 3 } }]);
    });

    it('saves the previous position if no message is visible', () => {
      const { effects } = play(reading(), scrolled(400, 600), visibleMeasured(undefined));
      assert.deepEqual(effects, [{ type: 'savePosition', position: { key: 'read', offset: 40 } }]);
    });

    it('saves no position if it reaches the newest before that frame', () => {
      const { effects } = play(reading(), scrolled(400, 600), { type: 'jumpToNewest' }, visibleMeasured(at('m20')));
      assert.deepEqual(effects, [{ type: 'savePosition', position: { key: undefined, offset: 0 } }]);
    });

    it('loads older messages near the first item', () => {
      assert.deepEqual(play(reading(), scrolled(119, 600)).effects, [
        NOT_NEWEST,
        { type: 'loadOlder' },
        MEASURE_VISIBLE,
      ]);
      assert.deepEqual(play(reading(), scrolled(120, 600)).effects, [NOT_NEWEST, MEASURE_VISIBLE]);
      const { effects } = play(reading(), scrolled(119, 0, NO_HAND));
      assert.deepEqual(effects, [IS_NEWEST, { type: 'loadOlder' }, MEASURE_VISIBLE]);
    });

    it('keeps a pinned message in place until the user scrolls', () => {
      const pinned = play(
        reading(),
        pin(at('pinned', 90)),
        changing(500, at('m30')),
        changed(3),
        changing(500, at('m31')),
      );
      assert.deepEqual(pinned.position, at('pinned', 90));
      const events = [pin(at('pinned', 90)), scrolled(490, 500), changing(500, at('m31'))];
      assert.deepEqual(play(reading(), ...events).position, at('m31'));
    });

    it('keeps a pinned message in place when resized rows scroll the list', () => {
      const events = [scrolled(510, 500, NO_HAND), scrolled(490, 120, NO_HAND), changing(500, at('m31'))];
      assert.deepEqual(play(reading(at('pinned')), ...events).position, at('pinned'));
    });

    it('unpins the message when the user goes elsewhere', () => {
      const pinned = reading(at('pinned'));
      assert.deepEqual(play(pinned, { type: 'goTo' }, changing(500, at('m31'))).position, at('m31'));
      const events: ListEvent[] = [{ type: 'jumpToNewest' }, scrolled(400, 600), changing(600, at('m31'))];
      assert.deepEqual(play(pinned, ...events).position, at('m31'));
    });
  });

  it('jumps to the newest from any state', () => {
    for (const start of [following, seeking, reading(at('pinned'))]) {
      const { type, effects } = play(start, { type: 'jumpToNewest' });
      assert.equal(type, 'following');
      assert.deepEqual(effects, [{ type: 'releaseAnchor' }, { type: 'cancelScroll' }, TO_END, { type: 'measureEnd' }]);
    }
  });

  it('still follows the newest after the scroll event of that jump', () => {
    const { type } = play(reading(), { type: 'jumpToNewest' }, measured(200), scrolled(800, 200), scrolled(1000, 0));
    assert.equal(type, 'following');
  });

  it('scrolls to a message from any state, and saves it immediately', () => {
    for (const start of [following, seeking, reading(at('pinned'))]) {
      const gone = play(start, { type: 'goTo' });
      assert.deepEqual(gone.effects, [{ type: 'releaseAnchor' }]);
      const { type, position, effects } = play(gone, { type: 'show', index: 3, position: at('m3', 250) });
      assert.equal(type, 'reading');
      assert.deepEqual(position, at('m3', 250));
      assert.deepEqual(effects, [keep(3, 250, false), { type: 'savePosition', position: at('m3', 250) }]);
    }
  });

  it('follows the newest if it is visible together with the target message', () => {
    const show: ListEvent = { type: 'show', index: 3, position: at('m3', 250) };
    const { type, effects } = play(following, { type: 'goTo' }, measured(0), show);
    assert.equal(type, 'following');
    assert.deepEqual(effects, [keep(3, 250, false), { type: 'savePosition', position: at('m3', 250) }]);
    assert.equal(
      play(following, { type: 'goTo' }, measured(0), show, changing(0, at('m1'), ANCHORING)).type,
      'following',
    );
  });

  it('continues to the target message when others are added before it is visible', () => {
    const show: ListEvent = { type: 'show', index: 3, position: at('m3', 250) };
    const { effects } = play(seeking, { type: 'goTo' }, show, changing(900, at('m90'), ANCHORING), changed(203, false));
    assert.deepEqual(effects, [keep(203, 250, false), NOT_NEWEST]);
  });

  it('follows the newest when the user moves there with the keyboard, but not in a filtered list', () => {
    const toEnd = (isFiltered: boolean) => play(reading(), { type: 'goTo' }, { type: 'goToEnd', isFiltered });
    assert.equal(toEnd(false).type, 'following');
    assert.equal(toEnd(true).type, 'reading');
    assert.deepEqual(toEnd(false).effects, [TO_END]);
    assert.deepEqual(toEnd(true).effects, [TO_END]);
  });
});
