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

/** What the list does now, and the effects of what has happened last. */
function assertPlayed(played: ReturnType<typeof play>, type: ListState['type'], ...effects: readonly ListEffect[]) {
  assert.equal(played.type, type);
  assert.deepEqual(played.effects, effects);
}

const following: ListState = { type: 'following', position: at('last'), scrollTop: 1000, height: 1400 };
const seeking: ListState = { ...following, type: 'seeking', position: at('sought'), pinned: undefined };
const reading = (pinned?: Position): ListState => ({
  type: 'reading',
  position: at('read'),
  scrollTop: 500,
  height: 1400,
  pinned,
});

// By the user, unless a row was resized or a screen reader scrolled.
const scrolled = (scrollTop: number, distance: number, more: Partial<EventOf<'scrolled'>> = {}): ListEvent => ({
  type: 'scrolled',
  scrollTop,
  distance,
  isFiltered: false,
  isByHand: true,
  isAnchoring: false,
  ...more,
});
const changing = (distance: number, visible?: Position, more: Partial<EventOf<'itemsChanging'>> = {}): ListEvent => ({
  type: 'itemsChanging',
  distance,
  visible,
  isFiltered: false,
  isAnchoring: false,
  isSelecting: false,
  ...more,
});
const changed = (index: number, isOnPage = true): ListEvent => ({ type: 'itemsChanged', index, isOnPage });
const laidOut = (scrollTop: number, distance: number, height = 1400): ListEvent => ({
  type: 'laidOut',
  scrollTop,
  distance,
  height,
});
const NO_HAND = { isByHand: false };
const ANCHORING = { isAnchoring: true };
const FILTERED = { isFiltered: true };
const measured = (distance: number, isFiltered = false): ListEvent => ({ type: 'endMeasured', distance, isFiltered });
const visibleMeasured = (visible: Position | undefined): ListEvent => ({ type: 'visibleMeasured', visible });
const pin = (position: Position): ListEvent => ({ type: 'pin', position });
const GO_TO: ListEvent = { type: 'goTo' };
const JUMP: ListEvent = { type: 'jumpToNewest' };
const LOST: ListEvent = { type: 'seekFailed' };

const IS_NEWEST: ListEffect = { type: 'reportNewest', isNewest: true };
const NOT_NEWEST: ListEffect = { type: 'reportNewest', isNewest: false };
const TO_END: ListEffect = { type: 'scrollToEnd' };
const MEASURE_VISIBLE: ListEffect = { type: 'measureVisible' };
const MEASURE_END: ListEffect = { type: 'measureEnd' };
const LOAD_OLDER: ListEffect = { type: 'loadOlder' };
const RELEASE: ListEffect = { type: 'releaseAnchor' };
const save = (position: Position): ListEffect => ({ type: 'savePosition', position });
const keep = (index: number, offset: number, isMeasured: boolean): ListEffect => ({
  type: 'anchor',
  index,
  offset,
  isMeasured,
});

describe('The message list', () => {
  it('initially follows the newest message, unless there is one to restore', () => {
    const start = { scrollTop: 0, height: 0 };
    assert.deepEqual(initialState(NOWHERE), { type: 'following', position: NOWHERE, ...start });
    const position = at('m12', 7);
    assert.deepEqual(initialState(position), { type: 'seeking', position, ...start, pinned: undefined });
  });

  describe('while it follows the newest message', () => {
    it('scrolls along with new items and resized rows', () => {
      assertPlayed(play(following, changing(0, at('last')), changed(-1)), 'following', IS_NEWEST);
      assertPlayed(play(following, laidOut(1000, 300)), 'following', TO_END);
    });

    it('leaves a scroll up alone until it is reported, if the list has kept its height', () => {
      assertPlayed(play(following, laidOut(995, 5)), 'following');
      assert.equal(play(following, laidOut(400, 600), scrolled(400, 600, NO_HAND)).type, 'reading');
      // The end as the last layout left it.
      assertPlayed(play(following, laidOut(1000, 300, 1700), laidOut(1200, 100, 1700)), 'following');
    });

    it('scrolls along when rows shrink and others grow at once', () => {
      assertPlayed(play(following, laidOut(400, 0, 800)), 'following', TO_END);
      assertPlayed(play(following, laidOut(400, 500, 1300)), 'following', TO_END);
    });

    it('continues when more items are added before the end of the last ones is visible', () => {
      assert.equal(play(following, changing(300, at('m5')), changed(-1)).type, 'following');
      assertPlayed(play(following, measured(300)), 'following', IS_NEWEST);
    });

    it('stays where a text is selected', () => {
      const played = play(following, changing(0, at('m5'), { isSelecting: true }), changed(5));
      assertPlayed(played, 'reading', keep(5, 40, true), NOT_NEWEST);
    });

    it('stops when the user scrolls up, however little, or a screen reader scrolls far up', () => {
      assertPlayed(play(following, scrolled(995, 5)), 'reading', NOT_NEWEST, MEASURE_VISIBLE);
      assert.equal(play(following, scrolled(879, 121, NO_HAND)).type, 'reading');
    });

    it('continues when the user scrolls up by less than the threshold, down or sideways', () => {
      assertPlayed(play(following, scrolled(996, 4)), 'following', IS_NEWEST, MEASURE_VISIBLE);
      for (const scrollTop of [1000, 1001]) assert.equal(play(following, scrolled(scrollTop, 60)).type, 'following');
    });

    it('continues when a resized row scrolls it a little', () => {
      assert.equal(play(following, scrolled(880, 120, NO_HAND)).type, 'following');
    });

    it('compares each scroll position with the previous one', () => {
      assert.equal(play(following, scrolled(1200, 0), scrolled(1100, 60)).type, 'reading');
      assert.equal(play(following, scrolled(800, 0), scrolled(900, 60)).type, 'following');
    });

    it('keeps the visible message in place when items are added right after the user has left the newest', () => {
      const played = play(following, scrolled(900, 100), changing(100, at('m7', -3)), changed(7));
      assertPlayed(played, 'reading', keep(7, -3, true), NOT_NEWEST);
    });

    it('uses the last visible message if none is visible', () => {
      const left = play(following, visibleMeasured(at('m8')), scrolled(500, 500), changing(500), changed(8, false));
      assertPlayed(left, 'reading', keep(8, 40, false), NOT_NEWEST);
    });

    it('pins nothing', () => {
      const { position } = play(following, pin(at('pinned')), scrolled(900, 100), changing(100, at('m7')));
      assert.deepEqual(position, at('m7'));
    });
  });

  describe('while it seeks a message', () => {
    it('stays at the end without reporting it, whatever is added', () => {
      for (const event of [changing(0, at('m99')), changed(-1, false), measured(0), scrolled(980, 20, NO_HAND)]) {
        const played = play(seeking, event);
        assertPlayed(played, 'seeking');
        assert.deepEqual(played.position, at('sought'));
      }
      assertPlayed(play(seeking, laidOut(900, 300, 1600)), 'seeking', TO_END);
    });

    it('shows the message at its old position as soon as it and the rows around it are loaded', () => {
      const played = play(seeking, changing(0, at('m99')), changed(12, false));
      assertPlayed(played, 'reading', keep(12, 40, false), NOT_NEWEST);
      assertPlayed(play(seeking, changed(12)), 'reading', keep(12, 40, false), NOT_NEWEST);
    });

    it('stays where it is if the message no longer exists', () => {
      assertPlayed(play(seeking, LOST), 'reading', MEASURE_END);
      assert.equal(play(seeking, LOST, measured(0)).type, 'following');
      assert.equal(play(seeking, LOST, measured(5)).type, 'reading');
      assertPlayed(play(following, LOST), 'following', MEASURE_END);
    });

    it('stops when the user scrolls, or a screen reader scrolls far up', () => {
      assertPlayed(play(seeking, scrolled(700, 300)), 'reading', NOT_NEWEST, MEASURE_VISIBLE);
      assert.equal(play(seeking, scrolled(700, 300, NO_HAND)).type, 'reading');
    });

    it('follows the newest if the user scrolls to the end before the message is loaded', () => {
      const played = play(seeking, scrolled(1001, 0), changing(0, at('m99')), changed(-1, false));
      assertPlayed(played, 'following', IS_NEWEST);
    });

    it('stops when the user jumps to the newest or goes to another message', () => {
      assert.equal(play(seeking, JUMP).type, 'following');
      assert.equal(play(seeking, GO_TO).type, 'reading');
    });

    it('keeps a pinned message in place after the message is loaded, or is lost', () => {
      const loaded = play(seeking, pin(at('pinned', 90)), changed(12, false), changing(500, at('m12')));
      assert.deepEqual(loaded.position, at('pinned', 90));
      assert.deepEqual(play(seeking, pin(at('pinned')), LOST, changing(500, at('m1'))).position, at('pinned'));
    });
  });

  describe('while it is being read', () => {
    it('keeps the first visible message in place when others are added or removed', () => {
      const played = play(reading(), changing(500, at('m30', -12)), changed(31));
      assertPlayed(played, 'reading', keep(31, -12, true), NOT_NEWEST);
      assert.deepEqual(played.position, at('m30', -12));
    });

    it('waits for the rows around a message that was not rendered', () => {
      assertPlayed(play(reading(), changed(31, false)), 'reading', keep(31, 40, false), NOT_NEWEST);
    });

    it('never scrolls by itself', () => {
      assertPlayed(play(reading(), laidOut(500, 300)), 'reading');
    });

    it('stays where it is if the message being read is removed', () => {
      assertPlayed(play(reading(), changing(500, at('m30')), changed(-1, false)), 'reading', NOT_NEWEST);
    });

    it('ignores the visible message and scroll events while rows are measured', () => {
      const played = play(reading(), changing(500, at('passing by'), ANCHORING), changed(31, false));
      assertPlayed(played, 'reading', keep(31, 40, false), NOT_NEWEST);
      assert.deepEqual(played.position, at('read'));
      const unmoved = play(reading(), scrolled(0, 0, ANCHORING));
      assertPlayed(unmoved, 'reading');
      assert.equal(unmoved.scrollTop, 500);
      assert.equal(play(following, scrolled(2000, 0, ANCHORING), scrolled(1100, 60)).type, 'following');
    });

    it('follows the newest once it is visible, before more items are added', () => {
      assertPlayed(play(reading(), measured(4)), 'following', IS_NEWEST);
      assertPlayed(play(reading(), measured(5)), 'reading', NOT_NEWEST);
      assertPlayed(play(reading(), scrolled(990, 4)), 'following', IS_NEWEST, MEASURE_VISIBLE);
      assert.equal(play(reading(), changing(4, at('m30'))).type, 'following');
      assert.equal(play(reading(), changing(4, at('m30'), ANCHORING)).type, 'following');
    });

    it("doesn't follow the end of a filtered list", () => {
      assertPlayed(play(reading(), measured(0, true)), 'reading', NOT_NEWEST);
      assert.equal(play(reading(), scrolled(990, 0, FILTERED)).type, 'reading');
      const { type, position } = play(reading(), changing(0, at('m30'), FILTERED));
      assert.equal(type, 'reading');
      assert.deepEqual(position, at('m30'));
    });

    it('saves the visible message one frame after a scroll, or the previous one if none is visible', () => {
      const played = play(reading(), scrolled(400, 600), visibleMeasured(at('m20', 3)));
      assertPlayed(played, 'reading', save(at('m20', 3)));
      assert.deepEqual(played.position, at('m20', 3));
      assertPlayed(play(reading(), scrolled(400, 600), visibleMeasured(undefined)), 'reading', save(at('read')));
    });

    it('saves no position if it reaches the newest before that frame', () => {
      const played = play(reading(), scrolled(400, 600), JUMP, visibleMeasured(at('m20')));
      assertPlayed(played, 'following', save(NOWHERE));
    });

    it('loads older messages near the first item', () => {
      assertPlayed(play(reading(), scrolled(119, 600)), 'reading', NOT_NEWEST, LOAD_OLDER, MEASURE_VISIBLE);
      assertPlayed(play(reading(), scrolled(120, 600)), 'reading', NOT_NEWEST, MEASURE_VISIBLE);
      const atEnd = play(reading(), scrolled(119, 0, NO_HAND));
      assertPlayed(atEnd, 'following', IS_NEWEST, LOAD_OLDER, MEASURE_VISIBLE);
    });

    it('keeps a pinned message in place until the user scrolls', () => {
      const added = [changing(500, at('m30')), changed(3), changing(500, at('m31'))];
      assert.deepEqual(play(reading(), pin(at('pinned', 90)), ...added).position, at('pinned', 90));
      const events = [pin(at('pinned', 90)), scrolled(490, 500), changing(500, at('m31'))];
      assert.deepEqual(play(reading(), ...events).position, at('m31'));
    });

    it('keeps a pinned message in place when resized rows scroll the list', () => {
      const events = [scrolled(510, 500, NO_HAND), scrolled(490, 120, NO_HAND), changing(500, at('m31'))];
      assert.deepEqual(play(reading(at('pinned')), ...events).position, at('pinned'));
    });

    it('unpins the message when the user goes elsewhere', () => {
      const pinned = reading(at('pinned'));
      assert.deepEqual(play(pinned, GO_TO, changing(500, at('m31'))).position, at('m31'));
      assert.deepEqual(play(pinned, JUMP, scrolled(400, 600), changing(600, at('m31'))).position, at('m31'));
    });
  });

  it('jumps to the newest from any state, and follows it after the scroll event of that jump', () => {
    for (const start of [following, seeking, reading(at('pinned'))])
      assertPlayed(play(start, JUMP), 'following', RELEASE, { type: 'cancelScroll' }, TO_END, MEASURE_END);
    assert.equal(play(reading(), JUMP, measured(200), scrolled(800, 200), scrolled(1000, 0)).type, 'following');
  });

  describe('when it goes to a message', () => {
    const show: ListEvent = { type: 'show', index: 3, position: at('m3', 250) };

    it('scrolls there from any state, and saves it immediately', () => {
      for (const start of [following, seeking, reading(at('pinned'))]) {
        assertPlayed(play(start, GO_TO), 'reading', RELEASE);
        const played = play(start, GO_TO, show);
        assertPlayed(played, 'reading', keep(3, 250, false), save(at('m3', 250)));
        assert.deepEqual(played.position, at('m3', 250));
      }
    });

    it('follows the newest if that is visible together with it', () => {
      const played = play(following, GO_TO, measured(0), show);
      assertPlayed(played, 'following', keep(3, 250, false), save(at('m3', 250)));
      const events = [GO_TO, measured(0), show, changing(0, at('m1'), ANCHORING)];
      assert.equal(play(following, ...events).type, 'following');
    });

    it('continues there when others are added before it is visible', () => {
      const played = play(seeking, GO_TO, show, changing(900, at('m90'), ANCHORING), changed(203, false));
      assertPlayed(played, 'reading', keep(203, 250, false), NOT_NEWEST);
    });
  });

  it('follows the newest when the user moves there with the keyboard, but not in a filtered list', () => {
    const toEnd = (isFiltered: boolean) => play(reading(), GO_TO, { type: 'goToEnd', isFiltered });
    assertPlayed(toEnd(false), 'following', TO_END);
    assertPlayed(toEnd(true), 'reading', TO_END);
  });
});
