/** One screen of the pane: its title, the way back, what it holds, and what can be done at its foot. */
import { Button } from '@fluentui/react-button'
import { tokens } from '@fluentui/react-theme'
import { makeStyles } from '@griffel/react'
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
    // A list is as wide as its longest entry, unless it is told otherwise.
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
  // Who cannot see that the screen has changed is told so.
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
