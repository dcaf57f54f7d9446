import { drawings } from './connector-icon-drawings.tsx'
import css from './connector-icon.module.css'

const hues = 6

/** A small drawing where there is one of that name, else a two-letter monogram; its colour follows from the name. */
export function Mark({ name, size = 40 }: { name: string; size?: 20 | 40 }) {
  const key = name.toLowerCase()
  const drawing = drawings[key]
  if (drawing !== undefined) {
    return (
      <span className={css.mark} data-drawing={key} data-size={size} aria-hidden>
        <svg
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          {drawing}
        </svg>
      </span>
    )
  }
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return (
    // The letters are drawn by the style sheet: they are decoration, no part of any name.
    <span className={css.mark} data-hue={sum % hues} data-size={size} data-letters={name.slice(0, 2)} aria-hidden />
  )
}
