/**
 * Words that the project does not use in comments and documents, each with what to write instead. Most are words of an
 * earlier private dialect, for which the field has an established term; see docs/glossary.md.
 */
export const retiredWords: readonly (readonly [pattern: string, instead: string])[] = [
  ['tells?|told|telling', 'report, show, return, log or notify'],
  ['who(?:m)?ever', 'the caller, or a user'],
  ['whatever way', 'however'],
  ['(?:some|any|no)body', 'the caller, a user, another session; or no one'],
  ['anew', 'again'],
  ['mend(?:s|ed|ing)?', 'fix'],
  ['seldom(?:er)?', 'rarely'],
  ['lest', 'so that … not'],
  ['whence', 'from which'],
  ['go(?:es)? on|went on|gone on|going on', 'continue or resume'],
  ['beside', 'next to, in addition to or alongside'],
  ['in whose', 'name the owner'],
  ['of ours|of its own|of whom', 'our own, own, or name the owner'],
  ['is none', 'does not exist, or is not one'],
  ['as ever', 'as always'],
  ['doorbells?|bells?', 'wake-up notification'],
  ['post office', 'mail dispatcher'],
  ['what is asked|what there is|as it comes', 'name the thing'],
]
