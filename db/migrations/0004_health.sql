CREATE TABLE `health_checks` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`checked_at` integer NOT NULL,
	CONSTRAINT "one_row" CHECK("health_checks"."id" = 1)
);
