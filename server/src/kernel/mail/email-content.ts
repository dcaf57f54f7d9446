/** What a mail says, before it becomes text and HTML. */
export interface Letter {
  /** Names the letter in the outbox and in the log: `reset-password`. */
  readonly template: string
  readonly subject: string
  /** Paragraphs of plain text; what people typed may stand in them, it is escaped when drawn. */
  readonly paragraphs: readonly string[]
  /** A code to type, drawn large. */
  readonly code?: string
  /** One button; `url` is whole. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Small print below. */
  readonly footnote?: string
}
