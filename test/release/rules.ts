/** What a release needs, as pure functions: see `check.ts`. */
import { dirname, posix } from 'node:path';
import type { Metafile } from 'esbuild';

/** Why this version can't be released under this tag; without one, whether it's a version at all. */
export function versionProblem(version: string, tag: string | undefined): string[] {
  // The Marketplace takes no suffixes such as -beta.
  if (!/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/.test(version))
    return [`${version} in package.json isn't of the form 1.2.3.`];
  return tag === undefined || tag === `v${version}` ? [] : [`The tag ${tag} isn't v${version}, as package.json says.`];
}

/** Odd minor versions are pre-releases, as VS Code recommends. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** The text below the heading of a version in a changelog; empty if there is none. */
export function changelogSection(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? '';
  return section.replace(/^.*\n?/, '').trim();
}

/** The pictures and links of a Markdown file that lead nowhere. Addresses on the web aren't tried. */
export function brokenLinks(path: string, read: (path: string) => string, files: ReadonlySet<string>): string[] {
  const text = read(path)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)|\b(?:src|href)="([^"]+)"/g)].map(
    ([, link = '', source = link]) => source || link,
  );
  return links.flatMap((link) => {
    if (/^https:\/\/[^/]/.test(link)) return [];
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : posix.join(dirname(path), decodeURIComponent(file));
    if (file !== '' && !files.has(target)) return [`${path} leads to ${link}, which doesn't exist.`];
    const hasAnchor = anchor === undefined || anchorsOf(read(target)).includes(anchor);
    return hasAnchor ? [] : [`${path} leads to ${link}, but ${target} has no such heading.`];
  });
}

/** The anchors of a Markdown file's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/** A bundled file, and those that are loaded with it. */
export function loadedWith(file: string, outputs: Metafile['outputs']): string[] {
  const files = new Set([file]);
  for (const one of files)
    for (const { kind, path } of outputs[one]?.imports ?? []) if (kind === 'import-statement') files.add(path);
  return [...files];
}

const LARGE_LIBRARIES = ['dompurify', 'markdown-it', 'preact', 're2js', 'yaml'];

/**
 * The folders of `src` and the large libraries that a part has sources of, although they aren't `allowed`: its own folder, other
 * folders, files and libraries. `parts` are the folders of all parts, which don't belong to the folders around them. `inputs` are
 * the paths of its sources.
 */
export function strangersIn(inputs: readonly string[], allowed: readonly string[], parts: readonly string[]): string[] {
  const places = [...parts, ...allowed].toSorted((one, other) => other.length - one.length);
  const found = inputs.flatMap((path) => {
    const library = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    if (library !== undefined) return LARGE_LIBRARIES.includes(library) && !allowed.includes(library) ? [library] : [];
    if (!path.startsWith('src/')) return [];
    const place = places.find((one) => `${path}/`.startsWith(`src/${one}/`));
    return place !== undefined && allowed.includes(place) ? [] : [dirname(path.slice('src/'.length))];
  });
  return [...new Set(found)].toSorted();
}
