import css from './dictionary.module.css'

/** Texts of people and sources: plain, with their line breaks, and without an effect on the direction of what is around them. */
export function Words({ texts }: { texts: readonly (string | null)[] }) {
  const shown = texts.filter((text) => text !== null)
  if (shown.length === 0) return <span className="muted">No description</span>
  return shown.map((text) => (
    <p key={text} className={css.words} dir="auto">
      {text}
    </p>
  ))
}
