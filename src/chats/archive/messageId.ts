/** IDs of archived messages. They are in order of time, so that searching for the newest first needs no sorting. Pure. */

/** IDs for each millisecond. */
const IDS = 16;

/** Later times count as this one: IDs must be safe integers. */
const MAX_TIME = 2 ** 48;

/** The IDs of messages since a time (Unix ms), and before one. */
export const idsSince = (time: number) => Math.min(Math.max(0, Math.floor(time)), MAX_TIME) * IDS;

/**
 * A free ID for a message of a time (Unix ms). Many messages of the same time get IDs a little later, in no particular
 * order.
 */
export function freeId(time: number, isTaken: (id: number) => boolean): number {
  const first = idsSince(time);
  for (let tries = 0; ; tries++) {
    const id = tries < IDS ? first + tries : first + Math.floor(Math.random() * 2 ** Math.min(4 + tries / 4, 40));
    if (!isTaken(id)) return id;
  }
}
