// For `npm run db:generate`, which compares every table.ts with db/migrations and writes the next migration there.
export default { dialect: 'sqlite', schema: './db/*/table.ts', out: './db/migrations' }
