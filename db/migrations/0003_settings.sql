INSERT INTO `settings` (`public_names`) VALUES ('initial');
