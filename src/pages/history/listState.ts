/**
 * Where the list of messages stands: a state machine that follows the newest, seeks a message that isn't loaded yet, or
 * is being read somewhere in between. Pure: the page measures for its events and performs its effects.
 */

/** Closer than this to the first item (pixels), older ones are loaded. */
const NEAR = 120;
/** This close to the end (pixels) is at the end: fractions of pixels add up. */
const AT_END = 4;

/** A message, and how far below the upper edge of the list it stands, in pixels. */
export interface Position {
  readonly key: string | undefined;
  readonly offset: number;
}

/** The newest is on the screen: there is no position to come back to. */
const NOWHERE: Position = { key: undefined, offset: 0 };

interface Common {
  /** What is being read, or sought; while the newest is followed, what was on the screen last. */
  readonly position: Position;
  /** The `scrollTop` of the last scroll event, in pixels. */
  readonly scrollTop: number;
}

/** The newest is on the screen, and the list scrolls along with what comes. */
interface Following extends Common {
  readonly type: 'following';
}

/** The message to come back to isn't loaded yet; until then the list is at the end, which tells nobody anything. */
interface Seeking extends Common {
  readonly type: 'seeking';
  readonly pinned: Position | undefined;
}

/** What is being read stays in its place, whatever comes or goes around it. */
interface Reading extends Common {
  readonly type: 'reading';
  /** Stays in its place instead, when rows come beside it, until the person scrolls. */
  readonly pinned: Position | undefined;
}

export type ListState = Following | Seeking | Reading;

/** How close the end of the list is. */
interface End {
  /** How far the end is below the screen, in pixels. */
  readonly distance: number;
  /** Some items are left out: the end isn't the newest. */
  readonly isFiltered: boolean;
}

export type ListEvent =
  /** The person asks for the newest. */
  | { readonly type: 'jumpToNewest' }
  /** The list is about to go to a message. */
  | { readonly type: 'goTo' }
  /** The person has gone to the last item by the keyboard. */
  | { readonly type: 'goToEnd'; readonly isFiltered: boolean }
  /** After `goTo`: have a message at this position, for good. */
  | { readonly type: 'show'; readonly index: number; readonly position: Position }
  /** Rows are going to come beside a message that should stay where it is. */
  | { readonly type: 'pin'; readonly position: Position }
  /** The message that is sought doesn't exist anymore. */
  | { readonly type: 'seekFailed' }
  | ({ readonly type: 'endMeasured' } & End)
  | ({
      readonly type: 'scrolled';
      readonly scrollTop: number;
      /** The person has used the wheel, the pointer or a key just now. */
      readonly isByHand: boolean;
      readonly isAnchoring: boolean;
    } & End)
  /** A frame after `scrolled`, when the rows of the new place are there. */
  | { readonly type: 'visibleMeasured'; readonly visible: Position | undefined }
  /** There are other items, but the page still shows those before: what is measured is about those. */
  | ({ readonly type: 'itemsChanging'; readonly visible: Position | undefined; readonly isAnchoring: boolean } & End)
  /** The page shows the other items. `index`: where the message of `position` is now, or -1. */
  | { readonly type: 'itemsChanged'; readonly index: number; readonly isOnPage: boolean }
  /** The page was rendered, or something in it has another size. */
  | { readonly type: 'laidOut' };

export type ListEffect =
  | { readonly type: 'scrollToEnd' }
  /** End a scroll that is under way. */
  | { readonly type: 'cancelScroll' }
  /** Keep an item at this offset while rows around it are measured; `isMeasured`: they are already. */
  | { readonly type: 'anchor'; readonly index: number; readonly offset: number; readonly isMeasured: boolean }
  /** End `keep`. */
  | { readonly type: 'releaseAnchor' }
  /** Send `measured` now. */
  | { readonly type: 'measureEnd' }
  /** Send `looked` in the next frame. */
  | { readonly type: 'measureVisible' }
  | { readonly type: 'savePosition'; readonly position: Position }
  | { readonly type: 'reportNewest'; readonly isNewest: boolean }
  | { readonly type: 'loadOlder' };

interface Step {
  readonly state: ListState;
  /** To be performed in this order. */
  readonly effects: readonly ListEffect[];
}

/** Without a message to come back to, the newest is followed. */
export function initialState(position: Position): ListState {
  return position.key === undefined
    ? { type: 'following', position, scrollTop: 0 }
    : { type: 'seeking', position, scrollTop: 0, pinned: undefined };
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
      // At once: the page may be hidden before it is painted.
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
    case 'laidOut':
      return state.type === 'reading' ? step(state) : step(state, TO_END);
  }
}

type EventOf<Type extends ListEvent['type']> = Extract<ListEvent, { type: Type }>;

function measured(state: ListState, end: End): Step {
  if (state.type === 'seeking') return step(state);
  const next = isAtNewest(end) ? following(state) : state;
  return step(next, { type: 'reportNewest', isNewest: next.type === 'following' });
}

function scrolled(before: ListState, event: EventOf<'scrolled'>): Step {
  // While rows are measured, it isn't the person who scrolls.
  if (event.isAnchoring) return step(before);
  const isUp = event.scrollTop < before.scrollTop;
  // Rows that change their size move the list a little; a screen reader moves it without a hand.
  const isMoved = event.isByHand || (isUp && event.distance > NEAR);
  const state = { ...before, scrollTop: event.scrollTop };
  if (state.type === 'seeking' && !isMoved) return step(state);
  const isLeaving = state.type === 'following' ? isUp && isMoved : isMoved;
  const { state: next, effects } = measured(isLeaving ? reading(state) : state, event);
  const load = event.scrollTop < NEAR ? [{ type: 'loadOlder' } as const] : [];
  return step(next, ...effects, ...load, { type: 'measureVisible' });
}

function itemsChanging(state: ListState, event: EventOf<'itemsChanging'>): ListState {
  if (state.type === 'seeking') return state;
  if (isAtNewest(event)) return following(state);
  // What is on the screen right now isn't what should be there.
  if (event.isAnchoring) return state;
  const pinned = state.type === 'reading' ? state.pinned : undefined;
  return { ...state, position: pinned ?? event.visible ?? state.position };
}

function itemsChanged(state: ListState, { index, isOnPage }: EventOf<'itemsChanged'>): Step {
  if (state.type === 'following') return step(state, { type: 'reportNewest', isNewest: true });
  const notNewest = { type: 'reportNewest', isNewest: false } as const;
  if (index < 0) return state.type === 'seeking' ? step(state) : step(state, notNewest);
  // A message that was on the page has moved by very little.
  const isMeasured = state.type === 'reading' && isOnPage;
  const anchor = { type: 'anchor', index, offset: state.position.offset, isMeasured } as const;
  return step(reading(state, state.pinned), anchor, notNewest);
}

const TO_END: ListEffect = { type: 'scrollToEnd' };

const step = (state: ListState, ...effects: readonly ListEffect[]): Step => ({ state, effects });

const following = ({ position, scrollTop }: ListState): Following => ({
  type: 'following',
  position,
  scrollTop,
});

const reading = ({ position, scrollTop }: ListState, pinned?: Position): Reading => ({
  type: 'reading',
  position,
  scrollTop,
  pinned,
});

const isAtNewest = ({ distance, isFiltered }: End) => distance <= AT_END && !isFiltered;
