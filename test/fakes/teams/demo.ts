/** Who is who in the fake that people click through, so that a file can name them. */
export const DEMO = {
  /** Settings of the hub: TEAMS_APP_ID, TEAMS_APP_PASSWORD, TEAMS_TENANTS. */
  app: {
    appId: '0a11ce00-0000-4000-8000-000000000001',
    password: 'no-secret-this-is-a-fake',
    tenantId: '0a11ce00-0000-4000-8000-000000000002',
  },
  chat: '19:approvals@thread.v2',
  people: [
    { name: 'Tove Lindqvist', mri: '29:tove', aadObjectId: '0a11ce00-0000-4000-8000-000000000011' },
    { name: 'Jan Peeters', mri: '29:jan', aadObjectId: '0a11ce00-0000-4000-8000-000000000012' },
    { name: 'Somebody not linked', mri: '29:nobody', aadObjectId: '0a11ce00-0000-4000-8000-000000000013' },
  ],
} as const;
