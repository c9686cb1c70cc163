/**
 * Does something with each of the chosen deliveries, one after the other: rows that offer it may be selected with others. One
 * that fails doesn't keep the rest from it. Rejects at the end with the first error, if any.
 */
export async function eachDelivery(ids: Iterable<string>, run: (id: string) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const id of ids) await run(id).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
