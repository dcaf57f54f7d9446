/** Who is signed in, and the way out. */
import { Button } from '@fluentui/react-button'
import { tokens } from '@fluentui/react-theme'
import { makeStyles } from '@griffel/react'
import type { Session } from '@tributary/contract/sign-in'
import { signOut } from '../api/sign-in.ts'
import { useAct } from '../ui/use-request.ts'

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '8px',
    maxWidth: '600px',
    boxSizing: 'border-box',
    padding: '8px 12px 0 20px',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
    overflowWrap: 'anywhere',
  },
  out: { flexShrink: 0 },
})

export function PersonBar({ session: { firstName, lastName, email } }: { session: Session }) {
  const styles = useStyles()
  const leaving = useAct()
  return (
    <header className={styles.bar}>
      <span title={email}>{`${firstName} ${lastName}`}</span>
      <Button
        className={styles.out}
        appearance="subtle"
        size="small"
        disabled={leaving.isBusy}
        onClick={() => leaving.run(signOut)}
      >
        Sign out
      </Button>
    </header>
  )
}
