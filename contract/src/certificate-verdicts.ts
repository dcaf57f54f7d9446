/** What is certified, and what each verdict means. */

interface CertifiedSubject {
  /** A sentence for each verdict, which says what it means without naming the organisation or a figure. */
  readonly verdicts: Readonly<Record<string, string>>
}

/** What is certified. The feature of the subject issues its certificates. */
export const certificateSubjects = {
  tieOut: {
    verdicts: {
      green: 'Every account of the month was equal to the trial balance that the source itself reported, to the cent.',
      amber:
        'The month could not be compared in full, or accounts differed only by what the source computes beyond its documents.',
      red: 'At least one account of the month differed from the trial balance that the source itself reported.',
    },
  },
  verification: {
    verdicts: {
      proven: 'Every value of every table was equal in the source and in its copy, by checksums of both databases.',
      sampled: 'Counts, totals and documents that were read again from the source were equal in its copy.',
      notProvable: 'The source offers nothing that its copy could be compared with.',
      unproven: 'Not every table was verified, or rows differed that may have changed in the source meanwhile.',
      differs: 'At least one row differed between the source and its copy.',
    },
  },
  mark: {
    verdicts: {
      kept: 'The books of a period were marked as reported, and what they showed then is kept unchanged.',
      superseded:
        'The books of a period were marked as reported, and the mark was superseded later. What it shows is kept unchanged.',
    },
  },
} as const satisfies Readonly<Record<string, CertifiedSubject>>
export type CertificateSubject = keyof typeof certificateSubjects
export type CertificateVerdict<Subject extends CertificateSubject> =
  keyof (typeof certificateSubjects)[Subject]['verdicts'] & string

/** An unknown verdict, which a later version issued, is shown as it is. */
export function describeVerdict(subject: string, verdict: string): string {
  const known: Readonly<Record<string, CertifiedSubject>> = certificateSubjects
  return known[subject]?.verdicts[verdict] ?? verdict
}
