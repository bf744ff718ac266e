CREATE TABLE `allowances` (
	`name` text PRIMARY KEY NOT NULL,
	`full_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `allowances_full_at` ON `allowances` (`full_at`);--> statement-breakpoint
CREATE TABLE `passwords` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`hash` text NOT NULL,
	CONSTRAINT "one_password" CHECK("passwords"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE TABLE `sign_in_attempts` (
	`who` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`next_at` integer NOT NULL,
	`known_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_attempts_next_at` ON `sign_in_attempts` (`next_at`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`public_names` text NOT NULL,
	`retention_days` integer,
	CONSTRAINT "one_row" CHECK("settings"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE `rsvps` ADD `deleted_at` text;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `public_name` text;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `suspicion` text;