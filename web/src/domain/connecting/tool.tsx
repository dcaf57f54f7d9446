/** One program with its test. */
import { Button } from '@mantine/core'
import { createContext, type ReactNode, use, useId } from 'react'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ConnectionChecks } from '../databases/connection-checks.tsx'
import { MutationError } from '../requests/mutation-error.tsx'
import css from './connection-tools.module.css'

/** Whose login the tools use. The test of a person's own login says nothing about the shared one. */
export const TestedLogin = createContext<'own' | 'shared'>('own')

interface ToolProps {
  clientId: string
  name: string
  /** What the program reads: the feed, with an access token, or the database, with a login. */
  reads?: 'feed' | 'database'
  hint?: string
  action?: ReactNode
  children?: ReactNode
}

export function Tool({ clientId, name, reads = 'database', hint, action, children }: ToolProps) {
  const id = useId()
  const login = use(TestedLogin)
  const test = useMutation({
    mutationFn: () => call('POST /tributary/clients/:clientId/reports/test', { params: { clientId } }),
  })
  return (
    <li className={css.tool} aria-labelledby={id}>
      <div className={css.head}>
        <div>
          <h3 id={id}>{name}</h3>
          {hint === undefined ? null : <p className="small muted">{hint}</p>}
        </div>
        <div className={css.actions}>
          {action}
          <Button variant="subtle" loading={test.isPending} aria-label={`Test ${name}`} onClick={() => test.mutate()}>
            Test
          </Button>
        </div>
      </div>
      {children}
      <MutationError of={test} />
      {test.data === undefined ? null : (
        <ConnectionChecks checks={test.data.filter(({ Name }) => isNeeded(Name, reads, login))} />
      )}
    </li>
  )
}

function isNeeded(check: string, reads: 'feed' | 'database', login: 'own' | 'shared'): boolean {
  if (check === 'Access token') return reads === 'feed'
  if (check === 'Database login') return reads === 'database' && login === 'own'
  return check === 'Tables' || reads === 'database'
}
