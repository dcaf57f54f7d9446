import css from './mark.module.css'

const hues = 6

/** A two-letter monogram in a fixed box; its colour follows from the name, so it is the same everywhere. */
export function Mark({ name, size = 40 }: { name: string; size?: 20 | 40 }) {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return (
    // The letters are drawn by the style sheet: they are decoration, no part of any name.
    <span className={css.mark} data-hue={sum % hues} data-size={size} data-letters={name.slice(0, 2)} aria-hidden />
  )
}
