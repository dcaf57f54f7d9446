import { CopyButton } from '../../../ui/display/copy-button.tsx'
import css from './setup-guide.module.css'
import { splitStatement } from './find-sql-statement.ts'

/** A sentence; the SQL that it tells somebody to run stands below it, ready to copy. Addresses in it are links. */
export function Statement({ sentence, remedy = null }: { sentence: string; remedy?: string | null }) {
  const told = splitStatement(sentence)
  const { words, statement } = remedy === null ? told : { words: sentence, statement: remedy }
  return (
    <>
      <span>{withLinks(words)}</span>
      {statement === null ? null : (
        <span className={css.statement}>
          <code>{statement}</code>
          <CopyButton text={statement} what="statement" />
        </span>
      )}
    </>
  )
}

function withLinks(words: string) {
  return words.split(/(https:\/\/[^\s,;)]*[^\s,;).])/).map((part, index) =>
    part.startsWith('https://') ? (
      <a key={index} href={part} target="_blank" rel="noreferrer">
        {part.replace('https://', '')}
      </a>
    ) : (
      part
    ),
  )
}
