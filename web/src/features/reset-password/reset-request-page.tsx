import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { AuthPage } from '../../domain/sign-in/auth-page.tsx'
import frame from '../../domain/sign-in/auth-page.module.css'
import { ResetRequestForm } from './reset-request-form.tsx'

export function ResetRequestPage() {
  return (
    <AuthPage title="Reset your password">
      <ResetRequestForm text="Enter your e-mail address to get a link to set a new password." />
      <p className={frame.after}>
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
    </AuthPage>
  )
}
