/** The content of an email, before it is rendered as text and HTML. */
export interface EmailContent {
  /** Identifies the template in the outbox and in the log: `reset-password`. */
  readonly template: string
  readonly subject: string
  /** Paragraphs of plain text. They may contain user input: rendering escapes them. */
  readonly paragraphs: readonly string[]
  /** A code to type, shown in large characters. */
  readonly code?: string
  /** One button; `url` is absolute. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Small print below the body. */
  readonly footnote?: string
}
