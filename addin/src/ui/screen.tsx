/** One screen of the pane: its title, the Back button, its content, and its actions below. */
import { Button } from '@fluentui/react-button'
import { makeStyles } from '@griffel/react'
import { tokens } from '@fluentui/react-theme'
import { ArrowLeftRegular } from '@fluentui/react-icons'
import { type ReactNode, useEffect, useRef } from 'react'

const useStyles = makeStyles({
  main: {
    boxSizing: 'border-box',
    display: 'flex',
    flexDirection: 'column',
    gap: '16px',
    maxWidth: '600px',
    padding: '12px 20px 20px',
    overflowWrap: 'anywhere',
    // By default a list is as wide as its longest entry.
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& .fui-Select__select': { width: '100%', textOverflow: 'ellipsis' },
  },
  head: { display: 'flex', alignItems: 'center', gap: '4px', marginLeft: '-8px' },
  alone: { marginLeft: 0 },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    outlineStyle: 'none',
  },
  actions: { display: 'flex', flexWrap: 'wrap', gap: '8px' },
})

interface ScreenProps {
  title: string
  onBack?: (() => void) | undefined
  actions?: ReactNode
  children: ReactNode
}

export function Screen({ title, onBack, actions, children }: ScreenProps) {
  const styles = useStyles()
  const heading = useRef<HTMLHeadingElement>(null)
  // Screen readers announce the new screen when its heading takes the focus.
  useEffect(() => heading.current?.focus(), [])
  return (
    <main className={styles.main}>
      <div className={onBack === undefined ? styles.alone : styles.head}>
        {onBack === undefined ? null : (
          <Button appearance="subtle" icon={<ArrowLeftRegular />} aria-label="Back" onClick={onBack} />
        )}
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      {children}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </main>
  )
}
