import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import css from './trial-notice.module.css'

/** Reminds of the trial on every page. In the rail of the collapsed side bar, its badge leads to the mailbox. */
export function TrialNotice({ isRail = false }: { isRail?: boolean }) {
  return (
    <div className={css.trial} role="note" aria-label="Trial">
      {isRail ? (
        <Link to={paths.mailbox} aria-label="Trial mailbox">
          <strong>Trial</strong>
        </Link>
      ) : (
        <>
          <strong>Trial</strong>
          <span>
            Sample data and simulated systems on this computer. Nothing here leaves it.{' '}
            <Link to={paths.mailbox}>Mailbox</Link>
          </span>
        </>
      )}
    </div>
  )
}
