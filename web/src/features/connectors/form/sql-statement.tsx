import { CopyButton } from '../../../ui/display/copy-button.tsx'
import css from './setup-guide.module.css'
import { splitStatement } from './find-sql-statement.ts'

/** A sentence with links. An SQL statement in it is shown below the sentence, ready to copy. */
export function SqlStatement({ sentence, remedy = null }: { sentence: string; remedy?: string | null }) {
  const split = splitStatement(sentence)
  const { words, statement } = remedy === null ? split : { words: sentence, statement: remedy }
  return (
    <>
      <span>{linkUrls(words)}</span>
      {statement === null ? null : (
        <span className={css.statement}>
          <code>{statement}</code>
          <CopyButton text={statement} what="statement" />
        </span>
      )}
    </>
  )
}

function linkUrls(words: string) {
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
