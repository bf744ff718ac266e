CREATE TABLE `administrators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`role` text NOT NULL,
	`sees_contacts` integer DEFAULT false NOT NULL,
	`prayers` text DEFAULT 'none' NOT NULL,
	`mail` text DEFAULT '[]' NOT NULL,
	`password_hash` text,
	`is_from_settings` integer DEFAULT false NOT NULL,
	`invitation_hash` text,
	`invitation_ends_at` integer,
	`created_at` integer NOT NULL,
	`seen_at` integer,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_email_unique` ON `administrators` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `administrators_invitation_hash_unique` ON `administrators` (`invitation_hash`);--> statement-breakpoint
CREATE TABLE `allowances` (
	`name` text PRIMARY KEY NOT NULL,
	`full_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `allowances_full_at` ON `allowances` (`full_at`);--> statement-breakpoint
CREATE TABLE `challenges` (
	`browser_hash` text PRIMARY KEY NOT NULL,
	`challenge` text NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`administrator_id` integer NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`administrator_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`browser` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`proven_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`administrator_id` integer,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `church_pictures` (
	`width` integer PRIMARY KEY NOT NULL,
	`height` integer NOT NULL,
	`hash` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `churches` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`name` text,
	`accent` text DEFAULT 'plum' NOT NULL,
	`picture_alt` text,
	CONSTRAINT "one_church" CHECK("churches"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `event_translations` (
	`language` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`subtitle` text NOT NULL,
	`event_title` text NOT NULL,
	`description` text NOT NULL,
	`date` text NOT NULL,
	`time` text NOT NULL,
	`location` text NOT NULL,
	`contact` text DEFAULT '' NOT NULL,
	`what_to_expect` text NOT NULL,
	`parking` text DEFAULT '' NOT NULL,
	`children` text DEFAULT '' NOT NULL,
	`roles` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`title` text NOT NULL,
	`subtitle` text NOT NULL,
	`event_title` text NOT NULL,
	`description` text NOT NULL,
	`date` text NOT NULL,
	`time` text NOT NULL,
	`location` text NOT NULL,
	`contact` text DEFAULT '' NOT NULL,
	`map_link` text DEFAULT '' NOT NULL,
	`what_to_expect` text DEFAULT '' NOT NULL,
	`parking` text DEFAULT '' NOT NULL,
	`children` text DEFAULT '' NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	CONSTRAINT "one_event" CHECK("events"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `features` (
	`name` text PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mail_queue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`rsvp_id` integer,
	`prayer_id` integer,
	`administrator_id` integer,
	`address` text,
	`language` text,
	`created_at` text NOT NULL,
	`due_at` text NOT NULL,
	`ends_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`sending_at` text,
	`sent_at` text,
	`failed_at` text,
	`failure` text,
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_queue_key_unique` ON `mail_queue` (`key`);--> statement-breakpoint
CREATE INDEX `mail_queue_due` ON `mail_queue` (`due_at`) WHERE sent_at IS NULL AND failed_at IS NULL;--> statement-breakpoint
CREATE INDEX `mail_queue_rsvp` ON `mail_queue` (`rsvp_id`) WHERE rsvp_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mail_state` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`lease_holder` text,
	`lease_ends_at` text,
	`restored_at` text,
	CONSTRAINT "one_state" CHECK("mail_state"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `mail_stops` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `prayers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rsvp_id` integer NOT NULL,
	`text` text NOT NULL,
	`audience` text NOT NULL,
	`created_at` text NOT NULL,
	`prayed_at` text,
	`to_visit` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `prayers_rsvp_id_unique` ON `prayers` (`rsvp_id`);--> statement-breakpoint
CREATE TABLE `private_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`rsvp_id` integer,
	`standing_id` integer,
	`hides_prayer` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`standing_id`) REFERENCES `standing_rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `private_links_rsvp` ON `private_links` (`rsvp_id`) WHERE rsvp_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `private_links_standing` ON `private_links` (`standing_id`) WHERE standing_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `erased_keys` (
	`key` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `family_members` (
	`rsvp_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`age` text,
	`attending` integer NOT NULL,
	PRIMARY KEY(`rsvp_id`, `position`),
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `rsvps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`message` text,
	`attending` integer NOT NULL,
	`add_to_calendar` integer NOT NULL,
	`calendar_type` text,
	`created_at` text NOT NULL,
	`deleted_at` text,
	`merged_into` integer,
	`identity` text,
	`suspicion` text,
	`body_hash` text,
	`service_date` text NOT NULL,
	`changed_at` text,
	`link_hash` text,
	`address_changed` integer DEFAULT false NOT NULL,
	`superseded` integer DEFAULT false NOT NULL,
	`standing_id` integer,
	`first_visit` integer DEFAULT false NOT NULL,
	`remind` integer DEFAULT false NOT NULL,
	`language` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rsvps_key_unique` ON `rsvps` (`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `rsvps_link_hash_unique` ON `rsvps` (`link_hash`);--> statement-breakpoint
CREATE INDEX `rsvps_service_date` ON `rsvps` (`service_date`);--> statement-breakpoint
CREATE INDEX `rsvps_same_email` ON `rsvps` (`service_date`,email COLLATE NOCASE,`deleted_at`) WHERE deleted_at IS NULL AND email <> '';--> statement-breakpoint
CREATE INDEX `rsvps_standing` ON `rsvps` (`standing_id`,`service_date`) WHERE standing_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `rsvps_superseded` ON `rsvps` (`service_date`) WHERE superseded;--> statement-breakpoint
CREATE TABLE `volunteer_signups` (
	`rsvp_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	PRIMARY KEY(`rsvp_id`, `role_id`),
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`role_id`) REFERENCES `volunteer_roles`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`weekday` integer NOT NULL,
	`start_time` text NOT NULL,
	`duration_minutes` integer NOT NULL,
	`time_zone` text NOT NULL,
	`closes_minutes_before` integer,
	`since` text NOT NULL,
	`previous_service` text,
	`uncounted_service` text,
	`revision` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "one_schedule" CHECK("schedules"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `skipped_dates` (
	`date` text PRIMARY KEY NOT NULL,
	`reason` text
);
--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`public_names` text NOT NULL,
	`retention_days` integer,
	`public_url` text,
	`prayers` integer DEFAULT false NOT NULL,
	`prayer_days` integer DEFAULT 30,
	`purged_at` text,
	`checked_at` integer,
	CONSTRAINT "one_row" CHECK("settings"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `standing_rsvps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`family_members` text NOT NULL,
	`volunteer_roles` text NOT NULL,
	`remind` integer NOT NULL,
	`suspicion` text,
	`language` text,
	`since` text NOT NULL,
	`written_until` text NOT NULL,
	`created_at` text NOT NULL,
	`seen_at` text NOT NULL,
	`ended_at` text,
	`address_changed` integer DEFAULT false NOT NULL,
	`feed_revision` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `turnouts` (
	`service_date` text PRIMARY KEY NOT NULL,
	`people` integer NOT NULL,
	`counted_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `volunteer_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`retired` integer DEFAULT false NOT NULL,
	`needed` integer
);

--> statement-breakpoint
INSERT INTO `features` (`name`, `enabled`) VALUES ('calendarIntegration', 1), ('familyRsvp', 1), ('volunteerSignup', 1);
--> statement-breakpoint
INSERT INTO `volunteer_roles` (`name`) VALUES ('Greeter'), ('Usher'), ('Music'), ('Children''s Class'), ('Audio and Video'), ('Fellowship Meal');
--> statement-breakpoint
INSERT INTO `settings` (`public_names`) VALUES ('initial');
--> statement-breakpoint
INSERT INTO `secrets` (`name`, `value`) VALUES ('submissions', lower(hex(randomblob(32))));
--> statement-breakpoint
CREATE TRIGGER `keep_erased_keys` AFTER DELETE ON `rsvps` WHEN old.`key` GLOB 'digest *' BEGIN
	INSERT OR IGNORE INTO `erased_keys` (`key`) VALUES (old.`key`);
END;
