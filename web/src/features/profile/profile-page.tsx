import { useRoleName } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Page } from '../../ui/page.tsx'

export function ProfilePage() {
  const { identity, organisation } = useWorkspace()
  const roleName = useRoleName()
  return (
    <Page title="Profile">
      <Panel title="You">
        <Facts
          facts={[
            { label: 'Email', value: identity.email },
            { label: 'First name', value: identity.firstName },
            { label: 'Last name', value: identity.lastName },
            { label: `Role in ${organisation.CompanyName}`, value: roleName(identity.role) },
          ]}
        />
        <p className="small subtle">Your name, address and role are kept by the administrators of your organisation.</p>
      </Panel>
    </Page>
  )
}
