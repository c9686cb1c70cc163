/** The names of content types. */
import { labels } from './host.ts';

/** The translated name of a content type; one that isn't known is its own name. */
export function kindName(kind: string): string {
  const known: Record<string, string> = {
    ...{ text: labels.text, markdown: 'Markdown', html: 'HTML', tip: labels.systemMessage, image: labels.image },
    ...{ file: labels.file, video: labels.video, audio: labels.audio, expression: labels.expression },
    ...{ post: labels.post, form: labels.form, a2ui: labels.a2ui },
    ...{ audioCall: labels.audioCall, videoCall: labels.videoCall, liveAudio: labels.liveAudio },
  };
  return Object.hasOwn(known, kind) ? (known[kind] ?? kind) : kind;
}
