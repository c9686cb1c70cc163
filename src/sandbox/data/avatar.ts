/** A small round picture with one letter, as a data URL: the sandbox names no host but its own. */
export function avatar(letter: string, hue: number): string {
  const picture =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="hsl(${hue} 45% 45%)"/>` +
    `<text x="32" y="43" font-size="32" font-family="sans-serif" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
