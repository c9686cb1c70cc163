/**
 * The scroll state of the message list: it follows the newest message, seeks one that isn't loaded yet, or is being read
 * somewhere else. A pure state machine: the page measures for its events and performs its effects.
 */

/** Older items are loaded this close to the first one, in pixels. */
const NEAR = 120;
/** This close counts as the end, in pixels: fractions add up. */
const AT_END = 4;

/** A message and its distance from the top of the list, in pixels. */
export interface Position {
  readonly key: string | undefined;
  readonly offset: number;
}

/** There is no position to restore: the newest message is visible. */
const NOWHERE: Position = { key: undefined, offset: 0 };

interface Common {
  /** The message being read or sought; in `following`, the last visible one. */
  readonly position: Position;
  /** The `scrollTop` of the last scroll event, or at the end after the last layout, in pixels. */
  readonly scrollTop: number;
  /** The `scrollHeight` after the last layout, in pixels. */
  readonly height: number;
}

/** The newest message is visible, and the list scrolls along with new ones. */
interface Following extends Common {
  readonly type: 'following';
}

/** The message to restore isn't loaded yet. Until then the list is at its end, which means nothing. */
interface Seeking extends Common {
  readonly type: 'seeking';
  readonly pinned: Position | undefined;
}

/** The message being read stays in place when others are added or removed around it. */
interface Reading extends Common {
  readonly type: 'reading';
  /** The message to keep in place instead, until the user scrolls. */
  readonly pinned: Position | undefined;
}

export type ListState = Following | Seeking | Reading;

/** The distance to the end of the list. */
interface End {
  /** The distance from the viewport to the end, in pixels. */
  readonly distance: number;
  /** Some items are hidden, so the end isn't the newest message. */
  readonly isFiltered: boolean;
}

export type ListEvent =
  /** The user asks for the newest message. */
  | { readonly type: 'jumpToNewest' }
  /** The list is about to scroll to a message. */
  | { readonly type: 'goTo' }
  /** The user has moved to the last item with the keyboard. */
  | { readonly type: 'goToEnd'; readonly isFiltered: boolean }
  /** After `goTo`: show a message at this position. */
  | { readonly type: 'show'; readonly index: number; readonly position: Position }
  /** Rows will be added next to a message that should stay in place. */
  | { readonly type: 'pin'; readonly position: Position }
  /** The message being sought no longer exists. */
  | { readonly type: 'seekFailed' }
  | ({ readonly type: 'endMeasured' } & End)
  | ({
      readonly type: 'scrolled';
      readonly scrollTop: number;
      /** The user has just used the wheel, the pointer or a key. */
      readonly isByHand: boolean;
      readonly isAnchoring: boolean;
    } & End)
  /** One frame after `scrolled`, when the new rows are rendered. */
  | { readonly type: 'visibleMeasured'; readonly visible: Position | undefined }
  /** The items have changed, but the page still shows the previous ones, which are measured here. */
  | ({
      readonly type: 'itemsChanging';
      readonly visible: Position | undefined;
      readonly isAnchoring: boolean;
      /** A part of the visible text is selected. */
      readonly isSelecting: boolean;
    } & End)
  /** The page shows the new items. `index`: that of the message of `position`, or -1. */
  | { readonly type: 'itemsChanged'; readonly index: number; readonly isOnPage: boolean }
  /** The page was rendered, or a part of it was resized, perhaps before a scroll is reported as `scrolled`. */
  | { readonly type: 'laidOut'; readonly scrollTop: number; readonly distance: number; readonly height: number };

export type ListEffect =
  | { readonly type: 'scrollToEnd' }
  /** Cancel an ongoing scroll. */
  | { readonly type: 'cancelScroll' }
  /** Keep an item at this offset while rows around it are measured. `isMeasured`: they already are. */
  | { readonly type: 'anchor'; readonly index: number; readonly offset: number; readonly isMeasured: boolean }
  /** End `anchor`. */
  | { readonly type: 'releaseAnchor' }
  /** Send `endMeasured` now. */
  | { readonly type: 'measureEnd' }
  /** Send `visibleMeasured` in the next frame. */
  | { readonly type: 'measureVisible' }
  | { readonly type: 'savePosition'; readonly position: Position }
  | { readonly type: 'reportNewest'; readonly isNewest: boolean }
  | { readonly type: 'loadOlder' };

interface Step {
  readonly state: ListState;
  /** To be performed in this order. */
  readonly effects: readonly ListEffect[];
}

/** Without a message to restore, the list follows the newest. */
export function initialState(position: Position): ListState {
  return position.key === undefined
    ? { type: 'following', position, scrollTop: 0, height: 0 }
    : { type: 'seeking', position, scrollTop: 0, height: 0, pinned: undefined };
}

export function reduce(state: ListState, event: ListEvent): Step {
  switch (event.type) {
    case 'jumpToNewest':
      return step(following(state), { type: 'releaseAnchor' }, { type: 'cancelScroll' }, TO_END, {
        type: 'measureEnd',
      });
    case 'goTo':
      return step(reading(state), { type: 'releaseAnchor' });
    case 'goToEnd':
      return step(event.isFiltered ? state : following(state), TO_END);
    case 'show': {
      const { index, position } = event;
      const anchor = { type: 'anchor', index, offset: position.offset, isMeasured: false } as const;
      // Immediately: the page may be hidden before it is painted.
      return step({ ...state, position }, anchor, { type: 'savePosition', position });
    }
    case 'pin':
      return step(state.type === 'following' ? state : { ...state, pinned: event.position });
    case 'seekFailed':
      return step(state.type === 'seeking' ? reading(state, state.pinned) : state, { type: 'measureEnd' });
    case 'endMeasured':
      return measured(state, event);
    case 'scrolled':
      return scrolled(state, event);
    case 'visibleMeasured': {
      const position = event.visible ?? state.position;
      const remembered = state.type === 'following' ? NOWHERE : position;
      return step({ ...state, position }, { type: 'savePosition', position: remembered });
    }
    case 'itemsChanging':
      return step(itemsChanging(state, event));
    case 'itemsChanged':
      return itemsChanged(state, event);
    case 'laidOut': {
      const { scrollTop, distance, height } = event;
      // If the list has kept its height, somebody has scrolled it.
      const isScroll = scrollTop < state.scrollTop && height === state.height;
      if (state.type === 'reading' || isScroll) return step(state);
      return step({ ...state, scrollTop: scrollTop + distance, height }, TO_END);
    }
  }
}

type EventOf<Type extends ListEvent['type']> = Extract<ListEvent, { type: Type }>;

function measured(state: ListState, end: End): Step {
  if (state.type === 'seeking') return step(state);
  const next = isAtNewest(end) ? following(state) : state;
  return step(next, { type: 'reportNewest', isNewest: next.type === 'following' });
}

function scrolled(before: ListState, event: EventOf<'scrolled'>): Step {
  // While rows are measured, the anchor scrolls, not the user.
  if (event.isAnchoring) return step(before);
  const isUp = event.scrollTop < before.scrollTop;
  // Resized rows scroll the list a little; a screen reader scrolls it without input events.
  const isUserScroll = event.isByHand || (isUp && event.distance > NEAR);
  const state = { ...before, scrollTop: event.scrollTop };
  if (state.type === 'seeking' && !isUserScroll) return step(state);
  const isLeaving = state.type === 'following' ? isUp && isUserScroll : isUserScroll;
  const { state: next, effects } = measured(isLeaving ? reading(state) : state, event);
  const load = event.scrollTop < NEAR ? [{ type: 'loadOlder' } as const] : [];
  return step(next, ...effects, ...load, { type: 'measureVisible' });
}

function itemsChanging(state: ListState, event: EventOf<'itemsChanging'>): ListState {
  if (state.type === 'seeking') return state;
  // A selection must not be scrolled away from the pointer, or out of the page.
  if (isAtNewest(event) && !event.isSelecting) return following(state);
  // The visible rows aren't final yet.
  if (event.isAnchoring) return state;
  const pinned = state.type === 'reading' ? state.pinned : undefined;
  const next = event.isSelecting && event.visible ? reading(state, pinned) : state;
  return { ...next, position: pinned ?? event.visible ?? state.position };
}

function itemsChanged(state: ListState, { index, isOnPage }: EventOf<'itemsChanged'>): Step {
  if (state.type === 'following') return step(state, { type: 'reportNewest', isNewest: true });
  const notNewest = { type: 'reportNewest', isNewest: false } as const;
  if (index < 0) return state.type === 'seeking' ? step(state) : step(state, notNewest);
  // A message that was rendered before has moved very little.
  const isMeasured = state.type === 'reading' && isOnPage;
  const anchor = { type: 'anchor', index, offset: state.position.offset, isMeasured } as const;
  return step(reading(state, state.pinned), anchor, notNewest);
}

const TO_END: ListEffect = { type: 'scrollToEnd' };

const step = (state: ListState, ...effects: readonly ListEffect[]): Step => ({ state, effects });

const following = ({ position, scrollTop, height }: ListState): Following => ({
  type: 'following',
  position,
  scrollTop,
  height,
});

const reading = ({ position, scrollTop, height }: ListState, pinned?: Position): Reading => ({
  type: 'reading',
  position,
  scrollTop,
  height,
  pinned,
});

const isAtNewest = ({ distance, isFiltered }: End) => distance <= AT_END && !isFiltered;
