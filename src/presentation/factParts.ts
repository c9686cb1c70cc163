/** Helpers that build facts. */
import { joinShown, type Part } from '../markup/escapeInvisible.ts';
import type { Kind } from '../service/model.ts';
import { l10n, type ShownText } from './shown.ts';

/** A labeled value of a resource. */
export interface Fact {
  readonly label: string;
  /** Plain text; may contain line breaks. Empty if the fact only groups its children. */
  readonly value: string;
  /** Nested facts: the fields of a review record, each medal, technical details. Excludes `reference`. */
  readonly children?: readonly Fact[];
  /** The group, bot or user that the value refers to. */
  readonly reference?: { readonly kind: Kind; readonly id: string };
}

/** The facts that have a value or children. */
export const nonEmptyFacts = (facts: Fact[]) =>
  facts.filter(({ value, children = [] }) => value.trim() !== '' || children.length > 0);

/** Joins the non-empty parts with " · ". */
export const joinPhrases = (...parts: readonly Part[]) => joinShown(parts, ' · ');

/** A fact whose value is an ID that can be looked up. */
export const linkedFact = (label: string, kind: Kind, id: string): Fact => ({
  label,
  value: id,
  reference: { kind, id },
});

/** A numeric ID as text; empty for 0, which means none. */
export const numericIdText = (id: number | undefined) => (id ? String(id) : '');

/** A flag as text, given the texts for 0 and 1. */
export function flagText(flag: number | undefined, texts: readonly [ShownText, ShownText]): ShownText {
  if (flag === undefined) return '';
  return texts[flag] ?? l10n.t('unknown value ({0})', flag);
}

/** The deletion state, if the flag is set. */
export function deletionFacts(flag: number | undefined): Fact[] {
  return flag ? [{ label: l10n.t('State'), value: l10n.t('deleted') }] : [];
}

/** Whether every field is empty, 0 or absent, as in the placeholder objects of the service (contract 2.2). */
export const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : !value;
