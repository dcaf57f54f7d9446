import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { AuthFrame } from '../../domain/sign-in/auth-page.tsx'
import frame from '../../domain/sign-in/auth-page.module.css'
import { RequestForm } from './reset-request-form.tsx'

export function RequestResetPage() {
  return (
    <AuthFrame title="Reset your password">
      <RequestForm text="Tell us your e-mail address, and we send you a link to set a new password." />
      <p className={frame.after}>
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
    </AuthFrame>
  )
}
