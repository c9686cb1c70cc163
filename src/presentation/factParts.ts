/** The small parts that facts are made of. */
import { l10n } from 'vscode';
import type { Kind } from '../service/model.ts';
import type { Fact } from './facts.ts';

/** Those of the facts that say something, by themselves or by what they gather. */
export const nonEmptyFacts = (facts: Fact[]) =>
  facts.filter(({ value, children = [] }) => value.trim() !== '' || children.length > 0);

/** Some of these words beside each other: those that are there. */
export const joinPhrases = (...words: unknown[]) => words.filter(Boolean).join(' · ');

/** An ID that something can be looked up by. */
export const linkedFact = (label: string, kind: Kind, id: string): Fact => ({
  label,
  value: id,
  reference: { kind, id },
});

/** An identifier that is a number; 0 is that of nothing. */
export const numericIdText = (id: number | undefined) => (id ? String(id) : '');

/** A flag in words: those of 0 and of 1. */
export function flagText(flag: number | undefined, words: readonly [string, string]): string {
  if (flag === undefined) return '';
  return words[flag] ?? l10n.t('value {0} (meaning not documented)', flag);
}

/** A deletion flag, where it is not 0. */
export function deletionFacts(flag: number | undefined): Fact[] {
  return flag ? [{ label: l10n.t('State'), value: l10n.t('deleted') }] : [];
}

/** Whether every field is empty, 0 or absent: what the service nests where there is nothing (contract 2.2). */
export const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : !value;
