const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** SHA-256 of a text, in 64 hexadecimal digits. */
export async function hexDigest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => HEX[byte]).join('');
}

/** Identifies the service at an address without naming it. */
export const serviceDigest = async (address: string) => (await hexDigest(address)).slice(0, 12);
