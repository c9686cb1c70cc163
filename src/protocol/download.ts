/** The messages between a download's panel and its page. Both sides validate what they receive. */
import * as v from 'valibot';

export const ToDownloadPage = v.object({
  type: v.literal('file'),
  name: v.string(),
  bytes: v.instance(Uint8Array<ArrayBuffer>),
  /** Whether the page downloads the file unasked: not if the page was only hidden. */
  isNew: v.boolean(),
});
export type ToDownloadPage = v.InferOutput<typeof ToDownloadPage>;

export const FromDownloadPage = v.object({ type: v.literal('ready') });
export type FromDownloadPage = v.InferOutput<typeof FromDownloadPage>;
