import css from './connector-icon.module.css'
import { sourceMarks } from './source-marks.tsx'

const hues = 6

/** The mark of a connector type, or a two-letter monogram whose colour is derived from the name. */
export function ConnectorIcon({ name, size = 40 }: { name: string; size?: 20 | 40 }) {
  const key = name.toLowerCase()
  const mark = sourceMarks[key]
  if (mark !== undefined) {
    return (
      <span className={css.mark} data-drawing={key} data-size={size} aria-hidden>
        <svg viewBox="0 0 24 24">{mark}</svg>
      </span>
    )
  }
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return (
    // The style sheet draws the letters, so that they are no part of an accessible name.
    <span className={css.mark} data-hue={sum % hues} data-size={size} data-letters={name.slice(0, 2)} aria-hidden />
  )
}
