const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** SHA-256 of a text or of bytes, in 64 hexadecimal digits. */
export async function hexDigest(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const hash = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(hash), (byte) => HEX[byte]).join('');
}

/** Identifies the service at an address without naming it. */
export const serviceDigest = async (address: string) => (await hexDigest(address)).slice(0, 12);
